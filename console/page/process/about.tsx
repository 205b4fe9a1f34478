// What stands beside the timeline: the people, the deadlines that run, the data, and the flows that it has started.
import { useState } from 'preact/hooks';
import type { ChildShown, ProcessSubject, RunningDeadline } from '../../process/glance/glance-view.ts';
import { Button } from '../parts/button.tsx';
import { Filled } from '../parts/filled.tsx';
import { Fact, Side } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { InWords, Time } from '../parts/time.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { common, currentMessages, inOwnWords } from '../shell/locale.ts';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';
import { Until } from './process-head.tsx';

export function People({ people }: Pick<ProcessSubject, 'people'>) {
  if (people.length === 0) return null;
  return (
    <Side title={common().people}>
      <dl class="facts">
        {people.map(({ role, name }) => (
          <Fact key={`${role} ${name}`} label={inOwnWords(role)}>
            {name}
          </Fact>
        ))}
      </dl>
    </Side>
  );
}

interface DeadlinesProps {
  readonly deadlines: readonly RunningDeadline[];
  readonly path: string;
  readonly mayAct: boolean;
  readonly clockAheadMs: number;
}

export function Deadlines({ deadlines, ...props }: DeadlinesProps) {
  if (deadlines.length === 0) return null;
  return (
    <Side title={common().deadlines}>
      <ul class="deadlines plain">
        {deadlines.map((deadline) => (
          <Deadline key={deadline.words} deadline={deadline} {...props} />
        ))}
      </ul>
    </Side>
  );
}

const DAY_MS = 86_400_000;

interface DeadlineProps extends Omit<DeadlinesProps, 'deadlines'> {
  readonly deadline: RunningDeadline;
}

function Deadline({ deadline, path, mayAct, clockAheadMs }: DeadlineProps) {
  const { words, until, isOverdue, extend } = deadline;
  const [extended, setExtended] = useState<string>();
  const { isBusy, refusal, run } = useDoing(async () => {
    // One that has passed ends a day from now.
    const from = Math.max(Date.parse(until), Date.now() + clockAheadMs);
    const to = new Date(from + DAY_MS).toISOString();
    await postJson(`${path}/commands/extend`, { ...extend, until: to });
    return to;
  }, setExtended);
  return (
    <li>
      <p>
        <InWords text={words} />
      </p>
      <p class={isOverdue ? 'bad-text' : 'soft'}>
        <Until at={until} isOverdue={isOverdue} aheadMs={clockAheadMs} />
      </p>
      {extend && mayAct && (
        <p>
          <Button press={run} isBusy={isBusy}>
            {currentMessages().process.plusDay}
          </Button>{' '}
          <span role="status">
            {extended && (
              <Filled text={currentMessages().process.extendedTo}>
                <Time at={extended} />
              </Filled>
            )}
          </span>
        </p>
      )}
      {refusal && <RefusalNote refusal={refusal} />}
    </li>
  );
}

export function Data({ data, people }: Pick<ProcessSubject, 'data' | 'people'>) {
  const points = usePickUpPointNames();
  const accounts = new Map(people.map(({ userUid, name }) => [userUid, name]));
  if (data.length === 0) return null;
  return (
    <Side title={currentMessages().process.data}>
      {data.map(({ title, rows }) => (
        <section key={title}>
          <h3>{inOwnWords(title)}</h3>
          <dl class="facts">
            {rows.map(({ label, value }, index) => (
              <Fact key={`${label} ${index}`} label={inOwnWords(label)}>
                <InWords text={points.get(value) ?? accounts.get(value) ?? value} />
              </Fact>
            ))}
          </dl>
        </section>
      ))}
    </Side>
  );
}

interface FamilyProps {
  readonly parent: string | null;
  readonly started: readonly ChildShown[];
}

export function Family({ parent, started }: FamilyProps) {
  if (parent === null && started.length === 0) return null;
  return (
    <Side title={currentMessages().process.family.title}>
      <ul class="plain">
        {parent && (
          <li>
            <Filled text={currentMessages().process.family.startedBy}>
              <a href={`/process/${encodeURIComponent(parent)}`}>{parent}</a>
            </Filled>
          </li>
        )}
        {started.map(({ key, title, words }) => (
          <li key={key || title}>
            {key === '' ? title : <a href={`/process/${encodeURIComponent(key)}`}>{title}</a>}
            <p class="soft">{inOwnWords(words)}</p>
          </li>
        ))}
      </ul>
    </Side>
  );
}
