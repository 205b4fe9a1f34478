// Which item a process is about and for whom: the largest text of its page. Its key and flow are small.

import { t } from '../../../shared/texts/text.ts';
import type { PersonShown, ProcessSubject } from '../../process/overview/overview-view.ts';
import type { HappenedRow, ProcessDetails } from '../../process/process-view.ts';
import { Badge } from '../parts/badge.tsx';
import { midSentence } from '../parts/format.ts';
import { Time } from '../parts/time.tsx';

interface ProcessHeadProps {
  readonly process: ProcessDetails;
  /** Undefined: not known yet, or not for this person. */
  readonly subject: ProcessSubject | undefined;
  /** The newest first, as the history has them. */
  readonly notes: readonly HappenedRow[];
}

/** More of them stand in what happened. */
const EARLIER_NOTES = 2;

export function ProcessHead({ process, subject, notes }: ProcessHeadProps) {
  const { key, overview, progress, closedAt } = process;
  const { title, status, parent } = overview;
  const [first, ...others] = subject?.people ?? [];
  const item = subject?.item;
  // What has ended does not know the notes since.
  const isOpen = closedAt === null;
  return (
    <header class="process-head">
      <h1>
        {item ? <bdi>{item}</bdi> : !first?.userUid && title}{' '}
        {first && <Whose person={first} isAlone={!item && first.userUid !== null} />}
        {item && subject && !first && <span class="whose"> · {t`no person`}</span>}{' '}
        <Badge state={status.tone === 'plain' ? undefined : status.tone}>{status.words}</Badge>
      </h1>
      <p class="soft small">
        <span class="key">{key}</span> · {title}
        {parent && (
          <>
            {' '}
            {t`· part of`} <a href={`/process/${encodeURIComponent(parent)}`}>{parent}</a>
          </>
        )}
      </p>
      {others.length > 0 && (
        <p class="row soft">
          {others.map((person) => (
            <span key={`${person.role} ${person.name}`}>
              {person.role} <Name {...person} />
            </span>
          ))}
        </p>
      )}
      {isOpen && progress?.note && <NewestNote note={progress.note} />}
      {notes.slice(isOpen ? 1 : 0, 1 + EARLIER_NOTES).map(({ at, words, runId, eventId }) => (
        <p key={`${runId} ${eventId}`} class="head-note">
          <bdi>{words}</bdi>
          <span class="soft">
            <Time at={at} />
          </span>
        </p>
      ))}
    </header>
  );
}

interface NewestNoteProps {
  readonly note: NonNullable<NonNullable<ProcessDetails['progress']>['note']>;
}

/** In one line; the whole of it stands in what happened. */
export const NewestNote = ({ note: { text, by, at } }: NewestNoteProps) => (
  <p class="head-note">
    <bdi title={text}>“{text}”</bdi>
    <span class="soft">
      <bdi>{by}</bdi>, <Time at={at} />
    </span>
  </p>
);

/** What reads on from the item: "for Anna". A flow file may call them otherwise: "Borrower Anna". */
const PREPOSITIONS: readonly string[] = [t`For`, t`From`];

interface WhoseProps {
  readonly person: PersonShown;
  /** Without an item before. */
  readonly isAlone: boolean;
}

function Whose({ person, isAlone }: WhoseProps) {
  const isPreposition = PREPOSITIONS.includes(person.role);
  return (
    <>
      <span class="whose">
        {!isAlone && !isPreposition && '· '}
        {isPreposition && !isAlone ? midSentence(person.role) : person.role}
      </span>{' '}
      <Name {...person} />
    </>
  );
}

export const Name = ({ name, userUid }: PersonShown) =>
  userUid === null ? (
    <bdi>{name}</bdi>
  ) : (
    <a href={`/people/${encodeURIComponent(userUid)}`}>
      <bdi>{name}</bdi>
    </a>
  );
