// What only developers and administrators look for: what the process awaits and would take, its reports, its cost, and the way to
// Temporal's Web UI.
import type {
  AcceptedEvent,
  AnyProgress,
  EventOrigin,
  PendingActivity,
  ProcessDetails,
  RunningTimer,
} from '../../process/process-view.ts';
import { Fact, Side } from '../parts/frames.tsx';
import { formatTimeLeft, Time } from '../parts/time.tsx';
import { currentMessages } from '../shell/locale.ts';
import { FlowSides } from './flow-sides.tsx';

interface SidesProps {
  readonly progress: AnyProgress | null;
  readonly takes: readonly AcceptedEvent[];
  readonly timers: readonly RunningTimer[];
  readonly trying: readonly PendingActivity[];
  readonly nowMs: number;
}

interface TechnicalProps extends SidesProps {
  readonly process: ProcessDetails;
  /** Temporal's billable actions; undefined: not counted. */
  readonly actions: number | undefined;
}

/** Folded: nobody at a desk needs them. */
export function Technical({ process, actions, ...sides }: TechnicalProps) {
  return (
    <details class="card technical-facts">
      <summary>
        <h2>{currentMessages().flows.technical}</h2>
      </summary>
      <Costs process={process} actions={actions} />
      <Sides {...sides} />
    </details>
  );
}

function Costs({ process, actions }: Pick<TechnicalProps, 'process' | 'actions'>) {
  const { key, flow, progress, startedAt, closedAt, cost, temporalUi, clockAheadMs } = process;
  const version = progress && 'version' in progress ? `@${progress.version}` : '';
  return (
    <>
      <dl class="facts">
        <Fact label="Key">
          <span class="key">{key}</span>
        </Fact>
        <Fact label="Flow">
          <a href={`/flows/${encodeURIComponent(flow)}`}>
            {flow}
            {version}
          </a>
        </Fact>
        <Fact label="Started">
          <Time at={startedAt} />
        </Fact>
        <Fact label="Ended">{closedAt && <Time at={closedAt} />}</Fact>
        <Fact label="History">
          {cost.events} events in {Math.ceil(cost.bytes / 1_000)} kB
          {actions ? `, ${actions} billed actions` : ''}. <a href={temporalUi}>In Temporal’s Web UI</a>
        </Fact>
      </dl>
      {clockAheadMs > 0 && <p class="soft">Its clock is the sandbox’s, ahead of the real time.</p>}
    </>
  );
}

function Sides({ progress, takes, timers, trying, nowMs }: SidesProps) {
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
                {state || 'the flow'}: {formatTimeLeft(Date.parse(until) - nowMs)}, <Time at={until} />
              </li>
            ))}
          </ul>
        </Side>
      )}
      <Takes takes={takes} />
      {progress && 'shipments' in progress && <FlowSides progress={progress} />}
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
const headings: Readonly<Record<EventOrigin, string>> = {
  wall: 'Callbacks from the wall',
  person: 'What a person may do',
  time: 'Deadlines and times',
  event: 'Events of the flow file',
  call: 'Answers to its calls',
  flow: 'What it finds out itself',
};

function Takes({ takes }: { readonly takes: readonly AcceptedEvent[] }) {
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
