// The head of every view: where one can go, whether it is up to date, who is signed in.
import { languages, localeNow, t } from '../../../shared/texts/text.ts';
import type { ConsoleUser, SignedOutView } from '../../sign-in/sign-in-view.ts';
import { postJson, SIGNED_OUT } from '../api.ts';
import { choose, languageNames } from '../language.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { useUpToDate } from '../readings.ts';
import { goTo } from './address.ts';
import { FindField } from './find-field.tsx';
import type { View } from './view.ts';

interface HeaderProps {
  readonly views: readonly View[];
  readonly path: string;
  readonly user: ConsoleUser;
}

const HOME = '/';
const HOME_KEYS = 'g h';

export function Header({ views, path, user }: HeaderProps) {
  useShortcut(HOME_KEYS, () => goTo(HOME));
  return (
    <header class="head">
      <a class="brand" href={HOME} title={t`Home, by the keys ${HOME_KEYS}`}>
        <Icon name="brand" />
        <span>lockerflow</span>
      </a>
      <nav aria-label={t`Console`}>
        <ul class="plain">
          {views.map(
            ({ path: to, title, icon }) =>
              icon && (
                <li key={to}>
                  <a href={to} aria-current={isAt(path, to) ? 'page' : undefined}>
                    <Icon name={icon} />
                    {title({})}
                  </a>
                </li>
              ),
          )}
        </ul>
      </nav>
      <FindField />
      <div class="row head-end">
        <Sign />
        <Menu label={user.name} isQuiet>
          <p class="soft small">{formatRights(user)}</p>
          {languages
            .filter((each) => each !== localeNow())
            .map((each) => (
              <Button key={each} press={() => choose(each)}>
                <span lang={each}>{languageNames[each]}</span>
              </Button>
            ))}
          <Button press={signOut}>{t`Sign out`}</Button>
        </Menu>
      </div>
    </header>
  );
}

function formatRights({
  roles,
  inboxes = [],
}: ConsoleUser & { readonly inboxes?: readonly string[] }): string {
  if (roles.includes('decide')) return t`You may act and answer everywhere`;
  return inboxes.length > 0 ? t`You may answer for ${inboxes.join(', ')}` : t`You may look`;
}

function signOut() {
  void postJson<SignedOutView>('/api/sign-out')
    .then(({ to }) => to !== null && location.assign(to))
    .finally(() => dispatchEvent(new Event(SIGNED_OUT)));
}

/** Whether what is on the screen is up to date: green only where all of it was read just now. */
function Sign() {
  const { isKnown, isLive, missing } = useUpToDate();
  const [state, icon, words] = (() => {
    if (missing !== null) return ['is-offline', 'offline', missing] as const;
    if (!isKnown) return ['', 'clock', t`Loading…`] as const;
    if (isLive) return ['is-verified', 'tick', t`Up to date`] as const;
    return ['', 'clock', t`As it was when the page was opened`] as const;
  })();
  return (
    <span class={`sign ${state}`} role="status" title={words}>
      <Icon name={icon} />
      <span>{words}</span>
    </span>
  );
}

/** /process/… belongs to Cases, /walls/… to Walls. */
const isAt = (path: string, to: string): boolean =>
  path === to || path.startsWith(`${to}/`) || (to === '/processes' && path.startsWith('/process/'));
