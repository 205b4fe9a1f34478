// The head of every view: where one can go, whether it is live, who is signed in.
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { useConnection } from './live.ts';
import { currentMessages } from './locale.ts';
import { UserMenu } from './user-menu.tsx';
import type { View } from './view.ts';

interface HeaderProps {
  readonly views: readonly View[];
  readonly path: string;
  readonly user: ConsoleUser;
}

export function Header({ views, path, user }: HeaderProps) {
  const { shell: words } = currentMessages();
  return (
    <header class="row head">
      <a class="brand" href="/">
        lockerflow
      </a>
      <nav aria-label={words.console}>
        <ul class="row plain">
          {views.map(
            ({ path: to, title, isInNavigation }) =>
              isInNavigation && (
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
        <LivePill />
        <UserMenu user={user} />
      </div>
    </header>
  );
}

/** Whether what is on the screen is up to date. */
function LivePill() {
  const { connection, refusal } = useConnection();
  const { shell: words } = currentMessages();
  if (connection === 'lost')
    return (
      <span class="pill bad" role="status">
        {words.notLive}
      </span>
    );
  if (connection === 'connecting')
    return (
      <span class="pill" role="status">
        {words.connecting}
      </span>
    );
  if (refusal)
    return (
      <span class="pill bad" role="status" title={refusal.message}>
        {words.notUpToDate(refusal.message)}
      </span>
    );
  return (
    <span class="pill good" role="status">
      {words.live}
    </span>
  );
}

/** The first page is Work; /process/… belongs to Processes, /walls/… to Walls. */
const isAt = (path: string, to: string): boolean =>
  path === to ||
  path.startsWith(`${to}/`) ||
  (to === '/inbox' && path === '/') ||
  (to === '/processes' && path.startsWith('/process/'));
