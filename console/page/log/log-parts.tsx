// The parts of the log: what people did, each person by itself, what failed by itself, many alike as one, and its rows.
import type { ComponentChildren } from 'preact';

import { t } from '../../../shared/texts/text.ts';
import type { LogEntry, LogPage, WallLogEntry } from '../../processes/processes-view.ts';
import { formatAbout } from '../parts/about.tsx';
import { Icon } from '../parts/icon.tsx';
import { TextWithTimes, Time } from '../parts/time.tsx';
import { whoOf } from './format-counts.ts';

const pathOf = (key: string): string => `/process/${encodeURIComponent(key)}`;

interface EntriesProps {
  readonly entries: readonly LogEntry[];
  /** No more of each person, and of one cause, are shown. */
  readonly most?: number;
}

interface ByPersonProps extends EntriesProps {
  /** The address of what one person did alone. */
  readonly onlyOf?: (person: string) => string;
}

export function ByPerson({ entries, onlyOf, most }: ByPersonProps) {
  const people = Object.entries(Object.groupBy(entries, whoOf));
  return (
    <>
      {people.map(([who, theirs = []]) => (
        <section key={who} aria-label={who}>
          <h3 class="row">
            {who} <span class="soft">{theirs.length}</span>
            {onlyOf && (
              <a class="soft" href={onlyOf(theirs[0]?.onBehalfOf ?? theirs[0]?.by ?? who)}>
                {most && theirs.length > most ? t`All ${theirs.length}` : t`Only ${who}`}
              </a>
            )}
          </h3>
          <Rows entries={theirs.slice(0, most)} />
        </section>
      ))}
    </>
  );
}

/** Many that fail alike are one. */
export function Failures({ entries, most }: EntriesProps) {
  const causes = Object.entries(Object.groupBy(entries, ({ flowName, words }) => `${flowName}: ${words}`));
  return (
    <>
      {causes.slice(0, most).map(([cause, all = []]) =>
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
    </>
  );
}

export function Rows({ entries }: EntriesProps) {
  return (
    <ol class="plain log-list events">
      {entries.map((entry) => (
        <Row key={`${entry.runId} ${entry.eventId}`} entry={entry} />
      ))}
    </ol>
  );
}

function Row({
  entry: { at, kind, key, flowName, about, words, did, why, saysWhy },
}: {
  readonly entry: LogEntry;
}) {
  const isFailure = kind === 'failure';
  const subject = about && formatAbout({ about: { ...about, item: about.item ?? flowName } });
  return (
    <LogLine at={at} isBad={isFailure}>
      <a href={pathOf(key)}>{subject ?? `${flowName} ${key}`}</a>{' '}
      {subject && (
        <span class="soft">
          <span class="key">{key}</span> · {flowName}
        </span>
      )}{' '}
      <TextWithTimes text={named(words, about)} /> {why && !saysWhy && <q>{why}</q>}
      {did.map((each, index) => (
        <p key={index} class="did">
          <TextWithTimes text={each} />
        </p>
      ))}
    </LogLine>
  );
}

interface LogLineProps {
  readonly at: string | null;
  readonly isBad: boolean;
  readonly children: ComponentChildren;
}

const LogLine = ({ at, isBad, children }: LogLineProps) => (
  <li class={isBad ? 'is-fault' : undefined}>
    <Time at={at} />
    <div>
      {isBad && (
        <span class="tone">
          <Icon name="warning" />{' '}
        </span>
      )}
      {children}
    </div>
  </li>
);

/** What happened at the walls: each leads to its locker's wall. */
export const WallLogRows = ({ entries }: { readonly entries: readonly WallLogEntry[] }) => (
  <ol class="plain log-list events">
    {entries.map(({ id, at, isBad, pupUid, words, why, key: processKey }) => (
      <LogLine key={id} at={at} isBad={isBad}>
        <TextWithTimes text={words} /> {why && <q>{why}</q>}{' '}
        {pupUid && <a href={`/walls/${encodeURIComponent(pupUid)}`}>{t`The wall`}</a>}
        {processKey && (
          <>
            {' · '}
            <a href={pathOf(processKey)}>{t`Its case`}</a>
          </>
        )}
      </LogLine>
    ))}
  </ol>
);

/** Whom somebody has written to, by name. */
const named = (words: string, about: LogEntry['about']): string =>
  (about?.people ?? []).reduce(
    (text, { userUid, name }) => (name === null ? text : text.replaceAll(userUid, name)),
    words,
  );

export const UnreadOf = ({ unread }: Pick<LogPage, 'unread'>) => (
  <>
    {unread.map(({ key, flowName, why }) => (
      <p class="note is-offline" key={key}>
        {t`What happened in ${flowName}`} <a href={pathOf(key)}>{key}</a> {t`could not be read: ${why}`}
      </p>
    ))}
  </>
);

export const WallsUnread = ({ wallsUnread }: Pick<LogPage, 'wallsUnread'>) => (
  <>
    {wallsUnread.map((what) => (
      <p class="note is-offline" key={what}>{t`At the walls this could not be read: ${what}`}</p>
    ))}
  </>
);
