// What happened since the shift before: what people did, what failed by itself, and notes.
import type { LogEntry } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { TextWithTimes, Time } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { lastVisitOf } from '../shell/last-visit.ts';
import type { ViewProps } from '../shell/view.ts';
import { choices, momentOf } from './since.ts';
import { useLog } from './use-log.ts';
import './log.css';

export function Log({ search, user }: ViewProps) {
  const visit = lastVisitOf(user.name);
  const choice = search.get('since') ?? (visit ? 'visit' : 'night');
  const since = momentOf(choice, visit);
  const by = search.get('by');
  const query = since && new URLSearchParams({ since: since.toISOString(), ...(by && { by }) }).toString();
  const { entries, unread, next, isReading, refusal, more } = useLog(query);
  const of = (kind: LogEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  return (
    <>
      <h1>What happened</h1>
      <Since search={search} choice={choice} visit={visit} />
      {since ? (
        <p role="status">
          Since <Time at={since.toISOString()} />
          {by && `, by ${by}`}: {isReading ? 'reading …' : formatCount(entries.length)}{' '}
          {by && <a href={addressWith(search, { by: null })}>By everybody</a>}
        </p>
      ) : (
        <RefusalNote refusal={{ message: 'Since when? Choose a day and a time.' }} />
      )}
      {refusal && <RefusalNote refusal={refusal} />}
      {unread.map(({ key, flowName, why }) => (
        <p class="note" key={key}>
          What happened in {flowName} <a href={pathOf(key)}>{key}</a> could not be read: {why}
        </p>
      ))}
      {next !== null && !isReading && (
        <p class="note">
          This is not all: more processes were acted on. <Button press={more}>Read on</Button>
        </p>
      )}
      <Notes entries={of('note')} />
      <ByPerson entries={of('command')} search={search} />
      <Failures entries={of('failure')} />
    </>
  );
}

const formatCount = (count: number): string => {
  if (count === 0) return 'nothing happened.';
  return count === 1 ? '1 entry.' : `${count} entries.`;
};

const pathOf = (key: string): string => `/process/${encodeURIComponent(key)}`;

interface SinceProps {
  readonly search: URLSearchParams;
  readonly choice: string;
  readonly visit: Date | undefined;
}

function Since({ search, choice, visit }: SinceProps) {
  const choose = (since: string) => goTo(addressWith(search, { since }));
  const isNamed = Object.hasOwn(choices, choice);
  return (
    <fieldset class="row log-since">
      <legend class="unseen">Since</legend>
      {Object.entries(choices).map(
        ([name, words]) =>
          (name !== 'visit' || visit) && (
            <Button
              key={name}
              press={() => choose(name)}
              isPressed={choice === name}
              title={name === 'visit' ? 'The end of your last visit, as this browser knows it' : undefined}
            >
              {words}
            </Button>
          ),
      )}
      <Field
        label="A day and a time"
        type="datetime-local"
        value={isNamed ? '' : choice}
        onChange={({ currentTarget: { value } }) => value && choose(value)}
      />
    </fieldset>
  );
}

interface EntriesProps {
  readonly entries: readonly LogEntry[];
}

function Notes({ entries }: EntriesProps) {
  if (entries.length === 0) return null;
  return (
    <section class="card log-part" aria-labelledby="log-notes">
      <h2 id="log-notes">Notes</h2>
      <Rows entries={entries} />
    </section>
  );
}

function ByPerson({ entries, search }: EntriesProps & { readonly search: URLSearchParams }) {
  if (entries.length === 0) return null;
  const people = Object.entries(Object.groupBy(entries, whoOf));
  return (
    <section class="card log-part" aria-labelledby="log-people">
      <h2 id="log-people">What people did</h2>
      {people.map(([who, theirs = []]) => (
        <section key={who} aria-label={who}>
          <h3 class="row">
            {who} <span class="soft">{theirs.length}</span>
            {!search.has('by') && (
              <a
                class="soft"
                href={addressWith(search, { by: theirs[0]?.onBehalfOf ?? theirs[0]?.by ?? who })}
              >
                Only {who}
              </a>
            )}
          </h3>
          <Rows entries={theirs} />
        </section>
      ))}
    </section>
  );
}

const whoOf = ({ by, onBehalfOf }: LogEntry): string => (onBehalfOf ? `${onBehalfOf} by ${by}` : `${by}`);

/** Many that fail alike are one. */
function Failures({ entries }: EntriesProps) {
  if (entries.length === 0) return null;
  const causes = Object.entries(Object.groupBy(entries, ({ flowName, words }) => `${flowName}: ${words}`));
  return (
    <section class="card log-part" aria-labelledby="log-failures">
      <h2 id="log-failures">What failed by itself</h2>
      {causes.map(([cause, all = []]) =>
        all.length === 1 ? (
          <Rows key={cause} entries={all} />
        ) : (
          <details key={cause}>
            <summary>
              <b>{all.length}</b> × {cause}
            </summary>
            <Rows entries={all} />
          </details>
        ),
      )}
    </section>
  );
}

function Rows({ entries }: EntriesProps) {
  return (
    <ol class="plain log-list">
      {entries.map((entry) => (
        <Row key={`${entry.runId} ${entry.eventId}`} entry={entry} />
      ))}
    </ol>
  );
}

function Row({ entry: { at, kind, key, flowName, words, did, why, saysWhy } }: { readonly entry: LogEntry }) {
  return (
    <li class={kind === 'failure' ? 'bad' : undefined}>
      <Time at={at} />
      <div>
        <a href={pathOf(key)}>
          {flowName} {key}
        </a>{' '}
        <TextWithTimes text={words} /> {why && !saysWhy && <q>{why}</q>}
        {did.map((each, index) => (
          <p key={index} class="did">
            <TextWithTimes text={each} />
          </p>
        ))}
      </div>
    </li>
  );
}
