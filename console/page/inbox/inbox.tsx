// Everything that waits for a person, oldest first, each with what can be done about it.
import { useMemo, useRef, useState } from 'preact/hooks';
import type { InboxView, Unread } from '../../inbox/inbox-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useKeys } from '../shell/keys.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { Compared } from './compared.tsx';
import { Entry } from './entry.tsx';

export function Inbox({ user }: ViewProps) {
  const { data, refusal } = useLive<InboxView>('/v1/inbox/entries');
  const [done, setDone] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  useKeys(
    useMemo(
      () => [
        { key: 'j', words: 'next entry', run: () => step(list.current, 1) },
        { key: 'k', words: 'entry before', run: () => step(list.current, -1) },
      ],
      [],
    ),
  );
  return (
    <>
      <h1>Inbox</h1>
      <p role="status" class="inbox-done">
        {done}
      </p>
      {!data && (refusal ? <RefusalNote refusal={refusal} /> : <p>Loading…</p>)}
      {data && (
        <>
          <UnreadNotes unread={data.unread} />
          {data.entries.length === 0 && (
            <p class="card">
              {data.unread.length === 0
                ? 'Nothing waits for a person.'
                : 'Nothing that could be read waits for a person.'}
            </p>
          )}
          <ol class="inbox" ref={list}>
            {data.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} canDecide={user.roles.includes('decide')} done={setDone} />
            ))}
          </ol>
          <Compared compared={data.compared} user={user} done={setDone} />
        </>
      )}
    </>
  );
}

function UnreadNotes({ unread }: { readonly unread: readonly Unread[] }) {
  return (
    <>
      {unread.map(({ what, why }) => (
        <p class="refusal" role="status" key={what}>
          Not all is shown: {what}: {why}
        </p>
      ))}
    </>
  );
}

/** From entry to entry; each is a stop for the focus. */
function step(list: HTMLOListElement | null, by: number): void {
  const entries = [...(list?.querySelectorAll<HTMLElement>(':scope > li') ?? [])];
  const at = entries.findIndex((each) => each.contains(document.activeElement));
  const next = entries[at < 0 ? 0 : Math.min(entries.length - 1, Math.max(0, at + by))];
  next?.focus();
}
