// What belongs to the person: language, signing out.
import { isLanguage, languages } from '../../locales/language.ts';
import type { ConsoleUser, SignedOutView } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { postJson, SIGNED_OUT } from './api.ts';
import { chooseLanguage, chosenLanguage, currentMessages } from './locale.ts';

export function UserMenu({ user }: { readonly user: ConsoleUser }) {
  const { shell: words } = currentMessages();
  const signOut = () => {
    void postJson<SignedOutView>('/api/sign-out')
      .then(({ to }) => to !== null && location.assign(to))
      .finally(() => dispatchEvent(new Event(SIGNED_OUT)));
  };
  return (
    <Menu class="user-menu" label={user.name}>
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
      <Button press={signOut}>{words.signOut}</Button>
    </Menu>
  );
}
