// Dark or light: as the system says, or as the person chose here.
import { useState } from 'preact/hooks';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const NAME = 'lockerflow-theme';

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const choose = (next: Theme) => {
    localStorage.setItem(NAME, next);
    apply(next);
    setTheme(next);
  };
  return [theme, choose];
}

export const applyTheme = (): void => apply(chosenTheme());

function chosenTheme(): Theme {
  const kept = localStorage.getItem(NAME);
  return themes.find((each) => each === kept) ?? 'system';
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
