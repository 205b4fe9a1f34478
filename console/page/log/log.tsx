// What happened since the shift before: what people did, what failed by itself, and notes.
import type { LogEntry, LogPage } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { lastVisitOf } from '../shell/last-visit.ts';
import type { ViewProps } from '../shell/view.ts';
import { ByPerson, Failures, Rows, UnreadOf, WallLogRows, WallsUnread } from './log-parts.tsx';
import { choices, momentOf } from './since.ts';
import { useLog } from './use-log.ts';
import './log.css';
import { t } from '../../../shared/texts/text.ts';

export function Log({ search, user }: ViewProps) {
  const visit = lastVisitOf(user.name);
  const choice = search.get('since') ?? (visit ? 'visit' : 'night');
  const since = momentOf(choice, visit);
  const by = search.get('by');
  const query = since && new URLSearchParams({ since: since.toISOString(), ...(by && { by }) }).toString();
  const { entries, unread, atWalls, wallsUnread, next, isReading, refusal, more } = useLog(query);
  const of = (kind: LogEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  return (
    <>
      <h1>{t`What happened`}</h1>
      <Since search={search} choice={choice} visit={visit} />
      {since ? (
        <p role="status">
          {t`Since`} <Time at={since.toISOString()} />
          {by && t`, by ${by}`}: {isReading ? t`reading …` : formatCount(entries.length + atWalls.length)}{' '}
          {by && <a href={addressWith(search, { by: null })}>{t`By everybody`}</a>}
        </p>
      ) : (
        <RefusalNote refusal={{ message: t`Since when? Choose a day and a time.` }} />
      )}
      {refusal && <RefusalNote refusal={refusal} />}
      <UnreadOf unread={unread} />
      <WallsUnread wallsUnread={wallsUnread} />
      {next !== null && !isReading && (
        <p class="note">
          {t`This is not all: more cases were acted on.`} <Button press={more}>{t`Read on`}</Button>
        </p>
      )}
      {of('note').length > 0 && (
        <section class="card log-part" aria-labelledby="log-notes">
          <h2 id="log-notes">{t`Notes`}</h2>
          <Rows entries={of('note')} />
        </section>
      )}
      {of('command').length > 0 && (
        <section class="card log-part" aria-labelledby="log-people">
          <h2 id="log-people">{t`What people did`}</h2>
          <ByPerson
            entries={of('command')}
            {...(!by && { onlyOf: (person: string) => addressWith(search, { by: person }) })}
          />
        </section>
      )}
      {of('failure').length > 0 && (
        <section class="card log-part" aria-labelledby="log-failures">
          <h2 id="log-failures">{t`What failed by itself`}</h2>
          <Failures entries={of('failure')} />
        </section>
      )}
      <ByItself late={of('late')} atWalls={atWalls} />
    </>
  );
}

const ByItself = ({ late, atWalls }: Pick<LogPage, 'atWalls'> & { readonly late: readonly LogEntry[] }) => (
  <>
    {late.length > 0 && (
      <section class="card log-part" aria-labelledby="log-late">
        <h2 id="log-late">{t`Came to be late, at least`}</h2>
        <Failures entries={late} />
      </section>
    )}
    {atWalls.length > 0 && (
      <section class="card log-part" aria-labelledby="log-walls">
        <h2 id="log-walls">{t`At the walls`}</h2>
        <WallLogRows entries={atWalls} />
      </section>
    )}
  </>
);

const formatCount = (count: number): string => (count === 0 ? t`nothing happened.` : t`${count} in all.`);

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
      <legend class="unseen">{t`Since`}</legend>
      {Object.entries(choices).map(
        ([name, words]) =>
          (name !== 'visit' || visit) && (
            <Button
              key={name}
              press={() => choose(name)}
              isPressed={choice === name}
              title={name === 'visit' ? t`The end of your last visit, as this browser knows it` : undefined}
            >
              {words}
            </Button>
          ),
      )}
      <Field
        label={t`A day and a time`}
        type="datetime-local"
        value={isNamed ? '' : choice}
        onChange={({ currentTarget: { value } }) => value && choose(value)}
      />
    </fieldset>
  );
}
