// What is due before the end of the day, and does not press yet: by what it is.
import type { EntryKind, WorkView } from '../../processes/processes-view.ts';
import type { QueryResult } from '../api.ts';
import { Figure } from './figures.tsx';

const words: Readonly<Record<EntryKind, readonly [string, string]>> = {
  decision: ['decision', 'decisions'],
  question: ['question', 'questions'],
  late: ['late case', 'late cases'],
  failedStart: ['failed start', 'failed starts'],
  door: ['door that stayed shut', 'doors that stayed shut'],
  openDoor: ['open door', 'open doors'],
  itemLeft: ['locker to empty', 'lockers to empty'],
  itemOut: ['item that nobody waits for', 'items that nobody waits for'],
  parked: ['unmatched callback', 'unmatched callbacks'],
};

export function Today({ work: { data, refusal } }: { readonly work: QueryResult<WorkView> }) {
  const today = (data?.entries ?? []).filter(({ group }) => group === 'today');
  const byKind = Object.entries(Object.groupBy(today, ({ kind }) => kind));
  return (
    <section class="card flush" aria-labelledby="home-today">
      <div class="card-head">
        <h2 id="home-today">Today</h2>
      </div>
      {refusal && !data && <p class="home-none is-offline tone">Could not be read</p>}
      {data && byKind.length === 0 && (
        <p class="home-none soft">
          {data.unread.length === 0
            ? 'Nothing else is due today.'
            : 'Of what could be read, nothing else is due today.'}
        </p>
      )}
      {byKind.length > 0 && (
        <div class="figures">
          {byKind.map(([kind, entries = []]) => (
            <Figure
              key={kind}
              of={words[kind as EntryKind]}
              count={entries.length}
              isUnread={refusal !== undefined}
              to={`/inbox?${new URLSearchParams({ only: kind })}`}
            />
          ))}
        </div>
      )}
    </section>
  );
}
