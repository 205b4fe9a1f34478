// The head of every view: where one can go, the search, whether it is live, who is signed in.
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { LivePill } from './live-pill.tsx';
import { currentMessages } from './locale.ts';
import { UserMenu } from './user-menu.tsx';
import type { View } from './view.ts';

interface HeaderProps {
  readonly views: readonly View[];
  readonly path: string;
  readonly user: ConsoleUser;
  readonly showKeys: () => void;
  readonly showSearch: () => void;
}

export function Header({ views, path, user, showKeys, showSearch }: HeaderProps) {
  const { shell: words } = currentMessages();
  return (
    <header class="row head">
      <a class="brand" href="/">
        lockerflow
      </a>
      <nav aria-label={words.console}>
        <ul class="row plain">
          {views.map(
            ({ path: to, title, key }) =>
              key && (
                <li key={to}>
                  <a href={to} aria-current={isAt(path, to) ? 'page' : undefined}>
                    {title({})}
                  </a>
                </li>
              ),
          )}
        </ul>
      </nav>
      <div class="row head-end">
        <Button press={showSearch} title={words.searchEverything}>
          {words.search} <kbd>Ctrl K</kbd>
        </Button>
        <LivePill />
        <UserMenu user={user} showKeys={showKeys} />
      </div>
    </header>
  );
}

/** /process/… belongs to Processes, /walls/… to Walls. */
const isAt = (path: string, to: string): boolean =>
  path === to ||
  (to !== '/' && path.startsWith(`${to}/`)) ||
  (to === '/processes' && path.startsWith('/process/'));
