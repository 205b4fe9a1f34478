// The first entries of Work: what somebody should do now.

import { t } from '../../../shared/texts/text.ts';
import type { WorkEntry, WorkView } from '../../processes/processes-view.ts';
import type { QueryResult } from '../api.ts';
import { kinds, named } from '../inbox/entry.tsx';
import { lookOf } from '../inbox/entry-look.ts';
import { UnreadNotes } from '../inbox/unread-notes.tsx';
import { formatAbout } from '../parts/about.tsx';
import { inFigures } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Ago } from '../parts/time.tsx';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';
import { awake } from './due-today.ts';

/** The rest is in Work. */
const MOST = 6;

export function Urgent({ work: { data, refusal } }: { readonly work: QueryResult<WorkView> }) {
  const names = usePickUpPointNames();
  const entries = data ? awake(data) : [];
  return (
    <section class="card flush" aria-labelledby="home-now">
      <div class="card-head">
        <h2 id="home-now">{t`Now`}</h2>
        <a class="small" href="/inbox">
          {t`All work`}
          {data && `, ${inFigures(entries.length)}`}
        </a>
      </div>
      {refusal && <NotYet refusal={refusal} />}
      {!data && !refusal && <NotYet />}
      {data && data.unread.length > 0 && (
        <div class="home-none">
          <UnreadNotes unread={data.unread} />
        </div>
      )}
      {data && entries.length === 0 && data.unread.length === 0 && (
        <p class="home-none">{t`Nothing waits for a person.`}</p>
      )}
      {entries.length > 0 && (
        <ol class="plain entries">
          {entries.slice(0, MOST).map((entry) => (
            <Entry key={entry.id} entry={entry} names={names} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface EntryProps {
  readonly entry: WorkEntry;
  readonly names: PickUpPointNames;
}

function Entry({ entry, names }: EntryProps) {
  const { id, title, kind, key, task, since, due, clockAheadMs } = entry;
  const { state, icon } = lookOf(entry);
  return (
    <li>
      <a href={`/inbox?${new URLSearchParams({ entry: id })}`} class={state && `is-${state}`}>
        <span class="tone">
          <Icon name={icon} />
        </span>
        <b>{named(title, entry, names)}</b>
        <span class="small soft">
          {due ? (
            <>
              {t`due`} <Ago at={due} aheadMs={clockAheadMs} />
            </>
          ) : (
            since && <Ago at={since} aheadMs={clockAheadMs} />
          )}
        </span>
        <small>
          {[task ? task.inbox : kinds[kind], formatAbout(entry) ?? key].filter(Boolean).join(' · ')}
        </small>
      </a>
    </li>
  );
}
