// What stands beside the chart: what the process awaits, its shipments, its deadlines, its reports, what people decided.
import type { RunningTimer, Shown, Taken, TakenFrom, Trying } from '../../process/process-view.ts';
import { Side } from '../parts/side.tsx';
import { leftWords, Time } from '../parts/time.tsx';
import { FlowSides } from './flow-sides.tsx';
import { Locks } from './locks.tsx';

export interface SidesProps {
  /** The key of the process. */
  readonly of: string;
  readonly progress: Shown | null;
  readonly takes: readonly Taken[];
  readonly timers: readonly RunningTimer[];
  readonly trying: readonly Trying[];
  readonly nowMs: number;
  /** As it stands, and not as it stood after one of its steps. */
  readonly isNow: boolean;
}

export function Sides({ of, progress, takes, timers, trying, nowMs, isNow }: SidesProps) {
  const awaits = progress && 'awaits' in progress ? progress.awaits : [];
  return (
    <>
      {awaits.length > 0 && (
        <Side title="It waits for">
          <ul>
            {awaits.map(({ words }) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </Side>
      )}
      {trying.length > 0 && (
        <Side title="It tries">
          <ul>
            {trying.map(({ activity, attempt, lastFailure, nextTryAt }) => (
              <li key={activity}>
                {activity}, attempt {attempt}
                {nextTryAt && (
                  <>
                    , next try <Time at={nextTryAt} />
                  </>
                )}
                {lastFailure && <p class="soft">{lastFailure}</p>}
              </li>
            ))}
          </ul>
        </Side>
      )}
      {timers.length > 0 && (
        <Side title="Deadlines that run">
          <ul>
            {timers.map(({ state, event, until }) => (
              <li key={`${state} ${event}`}>
                {state || 'the flow'}: {leftWords(Date.parse(until) - nowMs)}, <Time at={until} />
              </li>
            ))}
          </ul>
        </Side>
      )}
      <Takes takes={takes} />
      {progress && 'shipments' in progress && <FlowSides of={of} progress={progress} isNow={isNow} />}
      {progress && 'permits' in progress && <Locks of={of} permits={progress.permits ?? []} isNow={isNow} />}
      {progress && 'undoable' in progress && progress.undoable && (
        <Side title="Can be undone">
          <p>{progress.undoable.join(', ')}</p>
        </Side>
      )}
      {progress && 'keys' in progress && progress.keys && Object.keys(progress.keys).length > 0 && (
        <Side title="Events find it by">
          <ul>
            {Object.entries(progress.keys).map(([name, value]) => (
              <li key={name}>
                {name}: {value}
              </li>
            ))}
          </ul>
        </Side>
      )}
      {progress && 'dropped' in progress && progress.dropped > 0 && (
        <Side title="Messages that it dropped">
          <p>{progress.dropped}: without a type, or in the name of a flow that had not sent them.</p>
        </Side>
      )}
      {progress && 'output' in progress && progress.output !== undefined && (
        <Side title="Result">
          <pre>{JSON.stringify(progress.output, null, 1)}</pre>
        </Side>
      )}
    </>
  );
}

/** In the order of the server. */
const headings: Readonly<Record<TakenFrom, string>> = {
  wall: 'Callbacks from the wall',
  person: 'What a person may do',
  time: 'Deadlines and times',
  event: 'Events of the flow file',
  call: 'Answers to its calls',
  flow: 'What it finds out itself',
};

function Takes({ takes }: { readonly takes: readonly Taken[] }) {
  if (takes.length === 0) return null;
  const froms = [...new Set(takes.map(({ from }) => from))];
  return (
    <Side title="It would take now">
      {froms.map((from) => (
        <section key={from} class="takes">
          <h3>{headings[from]}</h3>
          <ul>
            {takes
              .filter((each) => each.from === from)
              .map(({ words, names }) => (
                <li key={words}>
                  {words} <code class="soft event-names">{names.join(', ')}</code>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </Side>
  );
}
