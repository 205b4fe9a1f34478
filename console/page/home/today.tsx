// What is due before the end of the day, and does not press yet: by what it is.

import { t } from '../../../shared/texts/text.ts';
import type { EntryKind, WorkView } from '../../processes/processes-view.ts';
import type { QueryResult } from '../api.ts';
import { dueToday } from './due-today.ts';
import { Figure } from './figures.tsx';

/** A locker that is out of order is due on no day. */
type Counted = Exclude<EntryKind, 'question' | 'outOfOrder'>;

const words: Readonly<Record<Counted, readonly [string, string]>> = {
  decision: [t`needs a decision`, t`need a decision`],
  late: [t`late case`, t`late cases`],
  failedStart: [t`failed start`, t`failed starts`],
  door: [t`door that stayed shut`, t`doors that stayed shut`],
  openDoor: [t`open door`, t`open doors`],
  itemLeft: [t`locker to empty`, t`lockers to empty`],
  itemOut: [t`item that nobody waits for`, t`items that nobody waits for`],
  unmatched: [t`unmatched callback`, t`unmatched callbacks`],
  eventsNotTaken: [t`case with events not taken`, t`cases with events not taken`],
};

export function Today({ work: { data, refusal } }: { readonly work: QueryResult<WorkView> }) {
  const today = data ? dueToday(data) : [];
  const byKind = Object.entries(Object.groupBy(today, ({ kind }) => kind));
  return (
    <section class="card flush" aria-labelledby="home-today">
      <div class="card-head">
        <h2 id="home-today">{t`Today`}</h2>
      </div>
      {refusal && !data && <p class="home-none is-offline tone">{t`Could not be read`}</p>}
      {data && byKind.length === 0 && (
        <p class="home-none soft">
          {data.unread.length === 0
            ? t`Nothing else is due today.`
            : t`Of what could be read, nothing else is due today.`}
        </p>
      )}
      {byKind.length > 0 && (
        <div class="figures">
          {byKind.map(([kind, entries = []]) => (
            <Figure
              key={kind}
              of={words[kind as Counted]}
              count={entries.reduce((sum, { many }) => sum + (many?.keys.length ?? 1), 0)}
              isUnread={refusal !== undefined}
              to={`/inbox?${new URLSearchParams({ only: kind })}`}
            />
          ))}
        </div>
      )}
    </section>
  );
}
