// Whom a process is for and how it stands, in one look: where the item is, what happens next and when, what is wrong, what to do.
import type { ComponentChildren } from 'preact';
import type { Headline, ProcessSubject } from '../../process/glance/glance-view.ts';
import type { ProcessDetails } from '../../process/process-view.ts';
import { Ago, TextWithTimes, Time } from '../parts/time.tsx';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';

interface ProcessHeadProps {
  readonly process: ProcessDetails;
  /** Undefined: not known yet, or not for this person. */
  readonly subject: ProcessSubject | undefined;
  /** What a person may do. */
  readonly children: ComponentChildren;
}

export function ProcessHead({ process: { key, headline }, subject, children }: ProcessHeadProps) {
  const { title, status, parent } = headline;
  const people = subject?.people ?? [];
  return (
    <>
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <ol class="row plain">
          <li>
            <a href="/processes">Processes</a>
          </li>
          {parent && (
            <li>
              <a href={`/process/${encodeURIComponent(parent)}`}>{parent}</a>
            </li>
          )}
          <li aria-current="page">{key}</li>
        </ol>
      </nav>
      <header class="row between process-head">
        <div>
          <h1>
            {title} <span class={`pill ${status.tone}`}>{status.words}</span>
          </h1>
          <p class="row">
            {people.map(({ role, name }) => (
              <span key={`${role} ${name}`}>
                {role} <strong dir="auto">{name}</strong>
              </span>
            ))}
            {subject?.item && <bdi>{subject.item}</bdi>}
            <span class="soft">
              Key <span class="key">{key}</span>
            </span>
          </p>
        </div>
        {children}
      </header>
    </>
  );
}

/** The answers to what everybody asks first. */
export function Glance({ process }: { readonly process: ProcessDetails }) {
  const { headline, clockAheadMs, closedAt } = process;
  const { where, itemNow, wrong, todo, unread } = headline;
  return (
    <section class="cards glance" aria-label="At a glance">
      <Answer title="Where the item is">
        {where.length === 0 && process.progress === null && <p class="warn-text">Could not be read</p>}
        {where.length === 0 && process.progress !== null && (
          <p class="soft">{closedAt ? 'In none of its lockers' : 'In no locker that it knows of'}</p>
        )}
        {where.map((each) => (
          <Where key={each.words} {...each} />
        ))}
        {itemNow && (
          <p>
            <a href={`/process/${encodeURIComponent(itemNow)}`}>{itemNow}</a> has it now
          </p>
        )}
      </Answer>
      <Answer title="What happens next">
        <Next next={headline.next} closedAt={closedAt} clockAheadMs={clockAheadMs} />
      </Answer>
      <Answer title="What is wrong" tone={wrong.length > 0 ? 'bad' : undefined}>
        {wrong.length === 0 && unread.length === 0 && <p class="soft">Nothing</p>}
        {wrong.map((each) => (
          <p key={each}>
            <TextWithTimes text={each} />
          </p>
        ))}
        <Unread unread={unread} />
      </Answer>
      <Answer title="What to do" tone={todo === null ? undefined : 'warn'}>
        {todo !== null && <p>{todo}</p>}
        {process.refusals.map(({ question, words }) => (
          <p key={question} class="warn-text">
            {words}
          </p>
        ))}
        {todo === null && (unread.length === 0 ? <p class="soft">Nothing</p> : <Unread unread={unread} />)}
      </Answer>
    </section>
  );
}

/** What could not be read may be wrong, or to do. */
const Unread = ({ unread }: Pick<Headline, 'unread'>) => (
  <>
    {unread.map((each) => (
      <p key={each} class="warn-text">
        Could not be read: {each}
      </p>
    ))}
  </>
);

interface AnswerProps {
  readonly title: string;
  readonly tone?: 'warn' | 'bad' | undefined;
  readonly children: ComponentChildren;
}

const Answer = ({ title, tone, children }: AnswerProps) => (
  <div class={tone ? `card ${tone}` : 'card'}>
    <h2>{title}</h2>
    {children}
  </div>
);

function Where({ words, pupUid }: Headline['where'][number]) {
  return (
    <p>
      <strong>{words}</strong>
      {pupUid && (
        <>
          , <PickUpPoint pupUid={pupUid} />
        </>
      )}
    </p>
  );
}

// Nobody can read one.
const IS_UUID = /[\da-f]{8}-[\da-f]{4}-/;

export function PickUpPoint({ pupUid }: { readonly pupUid: string }) {
  const names = usePickUpPointNames();
  return (
    <a href={`/walls/${encodeURIComponent(pupUid)}`}>
      {names.get(pupUid) ?? (IS_UUID.test(pupUid) ? 'the pick up point' : pupUid)}
    </a>
  );
}

function Next({ next, closedAt, clockAheadMs }: Pick<Headline, 'next'> & NextProps) {
  // Flows that it has started may go on.
  if (closedAt && next.length === 0)
    return (
      <p class="soft">
        Nothing: it ended <Ago at={closedAt} /> (<Time at={closedAt} />)
      </p>
    );
  if (next.length === 0) return <p class="soft">Not known now</p>;
  return (
    <ul class="plain">
      {next.map(({ words, until, isOverdue }) => (
        <li key={words}>
          <TextWithTimes text={words} />
          {until && (
            <p class={isOverdue ? 'bad-text' : 'soft'}>
              <Until at={until} isOverdue={isOverdue} aheadMs={clockAheadMs} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

type NextProps = Pick<ProcessDetails, 'closedAt' | 'clockAheadMs'>;

interface UntilProps {
  readonly at: string;
  readonly isOverdue: boolean;
  readonly aheadMs: number;
}

/** An end, absolute and relative. */
export const Until = ({ at, isOverdue, aheadMs }: UntilProps) => (
  <>
    {isOverdue ? 'overdue since' : 'until'} <Time at={at} /> (<Ago at={at} aheadMs={aheadMs} />)
  </>
);
