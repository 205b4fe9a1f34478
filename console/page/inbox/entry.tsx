// One thing that waits for a person: why, what happens if nobody does anything, what to do, and the actions for it.
import { useState } from 'preact/hooks';
import type { Choice } from '../../decisions/choice-view.ts';
import type { EntryKind, InboxEntry } from '../../inbox/inbox-view.ts';
import { ChoiceDialog } from '../decisions/choice-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Ago, Time } from '../parts/time.tsx';

export interface EntryProps {
  readonly entry: InboxEntry;
  readonly canDecide: boolean;
  readonly done: (words: string) => void;
}

const kinds: Readonly<Record<EntryKind, string>> = {
  decision: 'decision',
  question: 'question',
  door: 'door',
  itemLeft: 'item left',
  parked: 'parked callback',
  disagreement: 'disagreement',
};

export function Entry({ entry, canDecide, done }: EntryProps) {
  const [action, setAction] = useState<Choice>();
  const { title, why, ifNothing, toDo, since, clockAheadMs, kind } = entry;
  return (
    <li class="card entry" tabIndex={-1} data-kind={kind}>
      <header>
        <h2>{title}</h2>
        <span class="pill">{kinds[kind]}</span>
        {entry.asOf && (
          <span class="pill warn">
            not read since <Time at={entry.asOf} />
          </span>
        )}
        {since && (
          <span class="soft">
            <Ago at={since} aheadMs={clockAheadMs} />
          </span>
        )}
      </header>
      <Places entry={entry} />
      <p>{why}</p>
      <dl>
        <dt>If nobody does anything</dt>
        <dd>{ifNothing}</dd>
        <dt>What to do</dt>
        <dd>{toDo}</dd>
      </dl>
      <div class="entry-actions">
        {entry.actions.map((each) => (
          <Button
            key={each.id}
            press={() => setAction(each)}
            kind={each.isDestructive ? 'danger' : undefined}
            disabled={!canDecide}
            title={canDecide ? each.consequence : 'This needs the role decide'}
          >
            {each.label}…
          </Button>
        ))}
      </div>
      {action && (
        <ChoiceDialog
          choice={action}
          about={title}
          clockAheadMs={clockAheadMs}
          close={() => setAction(undefined)}
          done={(answer) => {
            const words = answer.words ?? `${action.label.toLowerCase()}: done`;
            done(answer.done ?? `${entry.key ?? title}: ${words}`);
            setAction(undefined);
          }}
        />
      )}
    </li>
  );
}

/** What it is about, and where one sees more of it. */
function Places({ entry: { key, pupUid, lockerName, shipmentUid } }: { readonly entry: InboxEntry }) {
  const places = [
    key && (
      <a key="process" href={`/process/${encodeURIComponent(key)}`}>
        {key}
      </a>
    ),
    pupUid && (
      <a key="wall" href={`/walls/${encodeURIComponent(pupUid)}`}>
        {lockerName ? `locker ${lockerName} of ${pupUid}` : pupUid}
      </a>
    ),
    shipmentUid && (
      <span key="shipment">
        shipment <span class="key">{shipmentUid}</span>
      </span>
    ),
  ].filter(Boolean);
  return places.length > 0 ? <p class="entry-places">{places}</p> : null;
}
