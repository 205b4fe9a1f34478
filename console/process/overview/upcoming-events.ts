// What happens next in a process, and when: what its chart waits for, and what its bookings do.
import type { ProcessProgress, WaitingFor } from '../../../contract/flows/flow-answers.ts';
import type { ChartView, RunningTimer } from '../../../engine/chart/chart-view.ts';
import { type DoubtAnswer, isNoneFound } from '../../../processes/booking-doubt.ts';
import {
  actorOf,
  actorWords,
  awaitedOf,
  endOf,
  formatNextOfHalted,
  toNextStates,
} from '../../../processes/views/awaited.ts';
import { formatName } from '../../../processes/views/format-names.ts';
import { ofBooking } from '../../../processes/views/item-locations.ts';
import { wholeBooking } from '../../../processes/views/progress.ts';
import { formatDuration, sentence } from '../../../processes/views/readable.ts';
import { formatWaitingFor } from '../../../processes/views/wait-texts.ts';
import { t } from '../../../shared/texts/text.ts';
import type { UpcomingEvent } from './overview-view.ts';
import { chartStateTitle } from './state-progress-bar.ts';

export interface EventParts {
  /** Null: it is not known. */
  readonly chart: ChartView | null;
  readonly timers: readonly RunningTimer[];
  /** Absent: no booking is in doubt. */
  readonly doubts?: readonly DoubtAnswer[];
  /** How far the clock of the process is ahead of the real time; absent: it is not. */
  readonly clockAheadMs?: number;
}

// A list that is longer is not read.
export const MAX_NEXT = 4;

/** What its chart waits for, and what its bookings do. */
export function nextOf(
  { chart, timers, doubts = [], clockAheadMs = 0 }: EventParts,
  progress: ProcessProgress,
): UpcomingEvent[] {
  const { halted } = progress;
  const now = Date.now() + clockAheadMs;
  const awaited = awaitedOf(progress).map((each) => {
    const who = actorOf(each);
    const until = endOf(each);
    // Nothing happens by itself when a question is due.
    const isDue = until !== each.until && until !== null;
    const words = sentence(
      ofBooking(progress, each.booking, inDoubt(each, doubts) ?? formatWaitingFor(each, progress)),
    );
    return {
      code: each.code,
      words: isDue ? `${words}${formatGivenUp(each, progress)}` : words,
      ...(who && { actor: { who, words: actorWords()[who] } }),
      until,
      isOverdue: each.isOverdue === true || (isDue && Date.parse(until) < now),
    };
  });
  // The timers of a booking are the ends of what its legs wait for.
  const own = halted || wholeBooking(progress) ? [] : timers;
  const timed = own.toSorted(byEnd).map(({ until, ...timer }) => ({
    code: 'Time' as const,
    words: sentence(formatTimer(chart, timer)),
    until,
    isOverdue: false,
  }));
  const decision: UpcomingEvent[] = halted
    ? [
        {
          code: 'Halted',
          words: sentence(formatNextOfHalted(halted)),
          until: null,
          isOverdue: false,
        },
      ]
    : [];
  return [...decision, ...awaited, ...timed].slice(0, MAX_NEXT);
}

/** When the case no longer waits for the answer. */
function formatGivenUp({ id, until }: WaitingFor, { questions }: ProcessProgress): string {
  if (until === null) return '';
  const to = toNextStates(questions.find((each) => each.id === id)?.unanswered);
  return ` ${t`After ${until} the case goes on${to} without an answer.`}`;
}

/** Once the service has said what it has, it is known what a person decides. */
function inDoubt({ code }: WaitingFor, doubts: readonly DoubtAnswer[]): string | null {
  if (code !== 'BookingUnknown' || doubts.length === 0) return null;
  if (doubts.every(isNoneFound)) return t`Somebody books it again: nothing happens by itself`;
  return doubts.some(({ found }) => found.length > 0) ? t`Somebody chooses what was booked` : null;
}

const byEnd = (one: { readonly until: string }, other: { readonly until: string }): number =>
  one.until.localeCompare(other.until);

/** What a deadline of a flow file does, as far as its chart says it. */
function formatTimer(chart: ChartView | null, { state, event, after }: Omit<RunningTimer, 'until'>): string {
  const at = chart?.states.find(({ path }) => path === state);
  const place = state === '' ? '' : t` in “${at ? chartStateTitle(at) : formatName(state)}”`;
  const duration = formatDuration(after);
  const taken = chart?.transitions.find((each) => each.from === state && each.event === event);
  const [to] = taken?.to ?? [];
  const target = to === undefined ? undefined : chart?.states.find(({ path }) => path === to);
  if (target) return t`If nothing else happens, it goes on to “${chartStateTitle(target)}”`;
  const end = duration === null ? t`Its time${place} ends` : t`${duration}${place} end`;
  return taken?.emits ? t`${end}, and others hear of it` : end;
}
