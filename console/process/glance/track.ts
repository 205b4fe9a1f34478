// The track of any process: of the states of its chart, and of its shipments. The chart of a booking that is the whole process
// says no more than its shipments.

import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import type { ChartView, RunningTimer, StatePath } from '../../../engine/chart/chart-view.ts';
import { wholeBooking } from '../../../processes/views/progress.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import type { Track } from './glance-view.ts';
import { legTrack } from './leg-track.ts';
import { stateTrack } from './state-track.ts';

interface TrackParts {
  readonly process: Pick<ShownProcess, 'status' | 'failure'>;
  readonly progress: ProcessProgress | null;
  readonly chart: ChartView | null;
  readonly active: readonly StatePath[];
  readonly timers: readonly RunningTimer[];
}

/** What is over stands in what happened. */
const withoutEnded = (progress: ProcessProgress): ProcessProgress => ({
  ...progress,
  bookings: progress.bookings.filter(({ activity }) => activity !== 'Ended'),
});

/** Empty: nobody says where it stands. */
export function trackOf({ process, progress, chart, active, timers }: TrackParts): Track {
  const isOpen = process.status === 'Running';
  const legs = progress ? legTrack(progress, !isOpen && process.failure !== null) : [];
  if ((progress && wholeBooking(progress)) || !chart || active.length === 0) return legs;
  const ended = process.status === 'Completed' ? 'well' : 'badly';
  const states = stateTrack({
    chart,
    active,
    timers,
    isHalted: isOpen && progress?.halted != null,
    ended: isOpen ? undefined : ended,
  });
  return [...states, ...(isOpen && progress ? legTrack(withoutEnded(progress), false) : legs)];
}
