// The whole page: the sign-in, or the navigation with the view of the address.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { MeView } from '../../sign-in/sign-in-view.ts';
import { getJson, postJson, type RequestError, requestErrorOf, SIGNED_OUT } from '../api.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { followLinks, useAddress } from './address.ts';
import { displayedText } from './displayed-text.ts';
import { Header } from './header.tsx';
import { followVisit } from './last-visit.ts';
import { ReachContext } from './reach.ts';
import { SignIn } from './sign-in.tsx';
import { type View, viewAt } from './view.ts';

const AGAIN_MS = 2_000;

export function App({ views }: { readonly views: readonly View[] }) {
  const { me, refusal, ask } = useMe();
  useEffect(followLinks, []);
  if (!me)
    return (
      <main class="alone">
        <h1>lockerflow</h1>
        <NotYet refusal={refusal} />
      </main>
    );
  if (!me.user) return <SignIn me={me} refusal={refusal} signedIn={ask} />;
  return (
    <ReachContext.Provider value={me.outreach}>
      <Signed views={views} me={me} user={me.user} />
    </ReachContext.Provider>
  );
}

interface SignedProps {
  readonly views: readonly View[];
  readonly me: MeView;
  readonly user: NonNullable<MeView['user']>;
}

function Signed({ views, me, user }: SignedProps) {
  const { path, search } = useAddress();
  const at = viewAt(views, path);
  useEffect(() => {
    document.title = at ? `${displayedText(at.view.title(at.params))} · lockerflow` : 'lockerflow';
  }, [at]);
  useEffect(() => followVisit(user.name), [user.name]);
  const Shown = at?.view.view;
  return (
    <>
      <a class="skip" href="#main">{t`Skip to the content`}</a>
      <Header views={views} path={path} user={user} />
      {me.problem !== null && (
        <p class="refusal" role="status">{t`The sign-in uses the former users: ${me.problem}`}</p>
      )}
      <main id="main" tabIndex={-1}>
        {Shown && at ? (
          <Shown params={at.params} search={search} user={user} />
        ) : (
          <>
            <h1>{t`There is no such page`}</h1>
            <p>
              {t`The address ${path} leads nowhere.`} <a href="/">{t`Go to the first page`}</a>.
            </p>
          </>
        )}
      </main>
    </>
  );
}

/** Asks who is signed in; first it takes the link of npm start, if the address is one. */
function useMe() {
  const [me, setMe] = useState<MeView>();
  const [refusal, setRefusal] = useState<RequestError>();
  const ask = useCallback(async () => {
    try {
      await takeLink().catch((error) => setRefusal(requestErrorOf(error)));
      setMe(await getJson<MeView>('/api/me'));
    } catch (error) {
      setRefusal(requestErrorOf(error));
      setTimeout(ask, AGAIN_MS);
    }
  }, []);
  useEffect(() => {
    void ask();
    const signedOut = () => setMe((before) => before && { ...before, user: null });
    addEventListener(SIGNED_OUT, signedOut);
    return () => removeEventListener(SIGNED_OUT, signedOut);
  }, [ask]);
  return { me, refusal, ask };
}

const LINK = '#sign-in=';

async function takeLink(): Promise<void> {
  if (!location.hash.startsWith(LINK)) return;
  const secret = location.hash.slice(LINK.length);
  // Out of the address before anything else: it must not be kept by the browser.
  history.replaceState(null, '', location.pathname + location.search);
  await postJson('/api/sign-in/link', { secret });
}
