// The track of any process: of its shipments where it has them, else of the states of its chart.
import type { ChartView, RunningTimer, StatePath } from '../../../engine/chart/chart-view.ts';
import type { AnyProgress } from '../../../processes/views/progress.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import type { Track } from './glance-view.ts';
import { legTrack } from './leg-track.ts';
import { stateTrack } from './state-track.ts';

interface TrackParts {
  readonly process: Pick<ShownProcess, 'status' | 'failure'>;
  readonly progress: AnyProgress | null;
  readonly chart: ChartView | null;
  readonly active: readonly StatePath[];
  readonly timers: readonly RunningTimer[];
}

/** Empty: nobody says where it stands. */
export function trackOf({ process, progress, chart, active, timers }: TrackParts): Track {
  const isOpen = process.status === 'Running';
  if (progress && 'shipments' in progress) return legTrack(progress, !isOpen && process.failure !== null);
  if (!chart || active.length === 0) return [];
  const ended = process.status === 'Completed' ? 'well' : 'badly';
  return stateTrack({
    chart,
    active,
    timers,
    isHalted: isOpen && progress?.halted != null,
    ended: isOpen ? undefined : ended,
  });
}
