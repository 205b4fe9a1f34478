// What belongs to the person: signing out.
import type { ConsoleUser, SignedOutView } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { postJson, SIGNED_OUT } from './api.ts';
import { currentMessages } from './locale.ts';

export function UserMenu({ user }: { readonly user: ConsoleUser }) {
  const { shell: words } = currentMessages();
  const signOut = () => {
    void postJson<SignedOutView>('/api/sign-out')
      .then(({ to }) => to !== null && location.assign(to))
      .finally(() => dispatchEvent(new Event(SIGNED_OUT)));
  };
  return (
    <Menu class="user-menu" label={user.name}>
      <Button press={signOut}>{words.signOut}</Button>
    </Menu>
  );
}
