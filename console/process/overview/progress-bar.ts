// The progress bar of any process: of the states of its chart, and of its shipments. The chart of a booking that is the whole process
// says no more than its shipments.

import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import type { ChartView, RunningTimer, StatePath } from '../../../engine/chart/chart-view.ts';
import { wholeBooking } from '../../../processes/views/progress.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import { legProgressBar } from './leg-progress-bar.ts';
import type { ProgressBar } from './overview-view.ts';
import { stateProgressBar } from './state-progress-bar.ts';

interface ProgressBarParts {
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
export function progressBarOf({ process, progress, chart, active, timers }: ProgressBarParts): ProgressBar {
  const isOpen = process.status === 'Running';
  const legs = progress ? legProgressBar(progress, !isOpen && process.failure !== null) : [];
  if ((progress && wholeBooking(progress)) || !chart || active.length === 0) return legs;
  const ended = process.status === 'Completed' ? 'well' : 'badly';
  const states = stateProgressBar({
    chart,
    active,
    timers,
    isHalted: isOpen && progress?.halted != null,
    ended: isOpen ? undefined : ended,
  });
  return [...states, ...(isOpen && progress ? legProgressBar(withoutEnded(progress), false) : legs)];
}
