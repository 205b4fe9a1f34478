// The head of every view: where one can go, whether it is live, who is signed in.
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { postJson, SIGNED_OUT } from './api.ts';
import { LivePill } from './live-pill.tsx';
import { type Theme, themes, useTheme } from './theme.ts';
import type { View } from './view.ts';

export interface HeaderProps {
  readonly views: readonly View[];
  readonly path: string;
  readonly user: ConsoleUser;
  readonly showKeys: () => void;
}

export function Header({ views, path, user, showKeys }: HeaderProps) {
  const [theme, setTheme] = useTheme();
  const signOut = () => {
    void postJson('/api/sign-out').finally(() => dispatchEvent(new Event(SIGNED_OUT)));
  };
  return (
    <header class="head">
      <a class="brand" href="/processes">
        lockerflow
      </a>
      <nav aria-label="Console">
        <ul>
          {views.map(
            ({ path: to, inNavigation }) =>
              inNavigation && (
                <li key={to}>
                  <a href={to} aria-current={isAt(path, to) ? 'page' : undefined}>
                    {inNavigation.label}
                  </a>
                </li>
              ),
          )}
        </ul>
      </nav>
      <div class="head-end">
        <LivePill />
        <label class="theme">
          <span class="unseen">Colours</span>
          <select value={theme} onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}>
            {themes.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <Button press={showKeys} title="List the keys (?)">
          Keys
        </Button>
        <span class="who">{user.name}</span>
        <Button press={signOut}>Sign out</Button>
      </div>
    </header>
  );
}

/** /process/… belongs to Processes, /walls/… to Walls. */
const isAt = (path: string, to: string): boolean =>
  path === to ||
  path.startsWith(`${to}/`) ||
  (to === '/processes' && (path === '/' || path.startsWith('/process/')));
