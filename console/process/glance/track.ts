// The track of any process: of its shipments where it has them, else of the states of its chart.
import type { ChartView, RunningTimer, StatePath } from '../../../engine/chart/chart-view.ts';
import { namesIn } from '../../../processes/views/happened.ts';
import type { AnyProgress } from '../../../processes/views/progress.ts';
import { formatHalt, readable } from '../../../processes/views/readable.ts';
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
  const { status } = process;
  const names = namesIn(progress);
  const failure = process.failure && readable(process.failure.message, names);
  if (progress && 'shipments' in progress) {
    const track = legTrack({ progress, failure: status === 'Running' ? null : failure });
    return (track ?? []).map(({ title, stages }) => ({
      title,
      stages: stages.map((stage) => ({ ...stage, reason: stage.reason && readable(stage.reason, names) })),
    }));
  }
  if (!chart || active.length === 0) return [];
  const held = progress && 'held' in progress ? progress.held : null;
  const reason = status === 'Running' ? held && formatHalt(held.message, names) : failure;
  const ended = status === 'Completed' ? 'well' : 'badly';
  return stateTrack({
    chart,
    active,
    timers,
    reason,
    ended: status === 'Running' ? undefined : ended,
  });
}
