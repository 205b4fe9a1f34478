// What belongs to the person: colours, language, the list of the keys, signing out.
import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleUser, SignedOutView } from '../../sign-in/sign-in-view.ts';
import { isLanguage, languages } from '../../words/language.ts';
import { Button } from '../parts/button.tsx';
import { postJson, SIGNED_OUT } from './api.ts';
import { type Theme, themes, useTheme } from './theme.ts';
import { chooseLanguage, chosenLanguage, wordsNow } from './words.ts';

interface UserMenuProps {
  readonly user: ConsoleUser;
  readonly showKeys: () => void;
}

export function UserMenu({ user, showKeys }: UserMenuProps) {
  const [theme, setTheme] = useTheme();
  const { shell: words } = wordsNow();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) close();
    };
    for (const event of ['click', 'focusin']) document.addEventListener(event, outside);
    return () => {
      for (const event of ['click', 'focusin']) document.removeEventListener(event, outside);
    };
  }, []);
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.current?.open) return;
    close();
    menu.current.querySelector('summary')?.focus();
  };
  const signOut = () => {
    void postJson<SignedOutView>('/api/sign-out')
      .then(({ to }) => to !== null && location.assign(to))
      .finally(() => dispatchEvent(new Event(SIGNED_OUT)));
  };
  return (
    <details class="user-menu" ref={menu} onKeyDown={closeByKey}>
      <summary class="button">{user.name}</summary>
      <div class="card">
        <label>
          <span>{words.colours}</span>
          <select value={theme} onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}>
            {themes.map((each) => (
              <option key={each} value={each}>
                {words.themes[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{words.language}</span>
          <select
            value={chosenLanguage() ?? ''}
            onChange={({ currentTarget: { value } }) => chooseLanguage(isLanguage(value) ? value : null)}
          >
            <option value="">{words.browserLanguage}</option>
            {Object.entries(languages).map(([language, name]) => (
              <option key={language} value={language} lang={language}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button
          press={() => {
            close();
            showKeys();
          }}
        >
          {words.keys} <kbd>?</kbd>
        </Button>
        <Button press={signOut}>{words.signOut}</Button>
      </div>
    </details>
  );
}
