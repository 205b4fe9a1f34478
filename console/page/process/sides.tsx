// What stands beside the chart: what the process awaits, its shipments, its deadlines, its reports, what people decided.
import type { ChartViewTransition, RunningTimer, Shown, Trying } from '../../process/process-view.ts';
import { Side } from '../parts/side.tsx';
import { leftWords, Time } from '../parts/time.tsx';
import { FlowSides } from './flow-sides.tsx';

export interface SidesProps {
  readonly progress: Shown | null;
  readonly next: readonly ChartViewTransition[];
  readonly timers: readonly RunningTimer[];
  readonly trying: readonly Trying[];
  readonly nowMs: number;
  /** As it stands, and not as it stood after one of its steps. */
  readonly isNow: boolean;
}

export function Sides({ progress, next, timers, trying, nowMs, isNow }: SidesProps) {
  const events = takenBy(next);
  const awaits = progress && 'awaits' in progress ? progress.awaits : [];
  return (
    <>
      {awaits.length > 0 && (
        <Side title="It waits for">
          <ul>
            {awaits.map((words) => (
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
      {events.length > 0 && (
        <Side title="It would take now">
          <ul class="events">
            {events.map(([event, guards]) => (
              <li key={event}>
                <code>{event}</code>
                {guards.length > 0 && <span class="soft"> if {guards.join(', or ')}</span>}
              </li>
            ))}
          </ul>
        </Side>
      )}
      {progress && 'shipments' in progress && <FlowSides progress={progress} isNow={isNow} />}
      {progress && 'output' in progress && progress.output !== undefined && (
        <Side title="Result">
          <pre>{JSON.stringify(progress.output, null, 1)}</pre>
        </Side>
      )}
    </>
  );
}

/** Each event once, with the guards that decide; none where one of its transitions has no guard. */
function takenBy(next: readonly ChartViewTransition[]): [string, string[]][] {
  const events = new Map<string, (string | null)[]>();
  for (const { event, guard } of next)
    if (event !== 'always') events.set(event, [...(events.get(event) ?? []), guard]);
  return [...events].map(([event, guards]) => [
    event,
    guards.includes(null) ? [] : [...new Set(guards.map(String))],
  ]);
}
