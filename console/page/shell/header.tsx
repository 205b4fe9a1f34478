// The head of every view: where one can go, whether it is up to date, who is signed in.
import type { ConsoleUser, SignedOutView } from '../../sign-in/sign-in-view.ts';
import { postJson, SIGNED_OUT } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { useUpToDate } from '../readings.ts';
import { FindField } from './find-field.tsx';
import type { View } from './view.ts';

interface HeaderProps {
  readonly views: readonly View[];
  readonly path: string;
  readonly user: ConsoleUser;
}

export function Header({ views, path, user }: HeaderProps) {
  return (
    <header class="row head">
      <a class="brand" href="/">
        lockerflow
      </a>
      <nav aria-label="Console">
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
      <FindField />
      <div class="row head-end">
        <LivePill />
        <span>{user.name}</span>
        <Button press={signOut}>Sign out</Button>
      </div>
    </header>
  );
}

function signOut() {
  void postJson<SignedOutView>('/api/sign-out')
    .then(({ to }) => to !== null && location.assign(to))
    .finally(() => dispatchEvent(new Event(SIGNED_OUT)));
}

/** Whether what is on the screen is up to date: green only where all of it was read just now. */
function LivePill() {
  const { isKnown, isLive, missing } = useUpToDate();
  if (missing !== null)
    return (
      <span class="pill bad" role="status" title={missing}>
        {missing}
      </span>
    );
  if (!isKnown)
    return (
      <span class="pill" role="status">
        Loading…
      </span>
    );
  return (
    <span class={isLive ? 'pill good' : 'pill'} role="status">
      {isLive ? 'Up to date' : 'As it was when the page was opened'}
    </span>
  );
}

/** The first page is Work; /process/… belongs to Processes, /walls/… to Walls. */
const isAt = (path: string, to: string): boolean =>
  path === to ||
  path.startsWith(`${to}/`) ||
  (to === '/inbox' && path === '/') ||
  (to === '/processes' && path.startsWith('/process/'));
