// What belongs to the person: colours, language, the list of the keys, signing out.
import { useRef } from 'preact/hooks';
import { isLanguage, languages } from '../../locales/language.ts';
import type { ConsoleUser, SignedOutView } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { Options } from '../parts/field.tsx';
import { Menu } from '../parts/menu.tsx';
import { postJson, SIGNED_OUT } from './api.ts';
import { chooseLanguage, chosenLanguage, currentMessages } from './locale.ts';
import { type Theme, useTheme } from './theme.ts';

interface UserMenuProps {
  readonly user: ConsoleUser;
  readonly showKeys: () => void;
}

export function UserMenu({ user, showKeys }: UserMenuProps) {
  const [theme, setTheme] = useTheme();
  const { shell: words } = currentMessages();
  const menu = useRef<HTMLDetailsElement>(null);
  const signOut = () => {
    void postJson<SignedOutView>('/api/sign-out')
      .then(({ to }) => to !== null && location.assign(to))
      .finally(() => dispatchEvent(new Event(SIGNED_OUT)));
  };
  return (
    <Menu class="user-menu" label={user.name} menu={menu}>
      <label>
        <span>{words.colours}</span>
        <select value={theme} onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}>
          <Options of={words.themes} />
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
          menu.current?.removeAttribute('open');
          showKeys();
        }}
      >
        {words.keys} <kbd>?</kbd>
      </Button>
      <Button press={signOut}>{words.signOut}</Button>
    </Menu>
  );
}
