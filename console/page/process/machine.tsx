// The chart that a process runs, for who wants to see it: where it is, and what may come next.
import type { ChartDrawing, ProcessDetails, StatePath } from '../../process/process-view.ts';
import { Button } from '../parts/button.tsx';
import { formatTimeLeft, useNow } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useJson } from '../shell/api.ts';
import { Chart, type Marks } from './chart.tsx';

const SECOND_MS = 1_000;

interface MachineProps {
  readonly path: string;
  readonly process: ProcessDetails;
  readonly search: URLSearchParams;
}

export function Machine({ path, process, search }: MachineProps) {
  const isShown = search.has('machine');
  const { chartId, flow, active } = process;
  // A migration puts another chart in its place.
  const { data: chart } = useJson<ChartDrawing>(
    isShown && chartId !== null ? `${path}/drawing` : undefined,
    chartId,
  );
  const nowMs = useNow(SECOND_MS);
  if (chartId === null) return null;
  const states = leavesOf(active).join(', ') || 'its beginning';
  return (
    <section class="machine" aria-label="The machine">
      <p class="row">
        <Button
          press={() => goTo(addressWith(search, { machine: isShown ? null : 'open' }), { replace: true })}
        >
          {isShown ? 'Hide the machine' : 'Show the machine'}
        </Button>
      </p>
      {chart && (
        <Chart
          drawing={chart}
          marks={marksOf(process, nowMs + process.clockAheadMs)}
          label={`The chart of ${flow}. The process is in ${states}.`}
        />
      )}
    </section>
  );
}

/** @param nowMs by the clock of the process */
function marksOf({ active, nextLines, timers, status }: ProcessDetails, nowMs: number): Marks {
  // A result that is not the one that was wished for is no failure of the process: its outcome says so.
  const hasFailed = status !== 'Running' && status !== 'Completed';
  return {
    isOver: status !== 'Running',
    failed: new Set(hasFailed ? leavesOf(active) : []),
    active: new Set(active),
    next: new Set(nextLines),
    // The first of a state is the next one.
    below: new Map(
      timers.toReversed().map(({ state, until }) => [state, formatTimeLeft(Date.parse(until) - nowMs)]),
    ),
  };
}

/** The innermost of the active states. */
const leavesOf = (active: readonly StatePath[]): StatePath[] =>
  active.filter((path) => path !== '' && !active.some((other) => other.startsWith(`${path}.`)));
