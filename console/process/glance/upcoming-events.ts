// What happens next in a process, and when: what its chart waits for, and what its bookings do.
import type { ProcessProgress, WaitingFor } from '../../../contract/flows/flow-answers.ts';
import type { Stage as LegStage, Role } from '../../../contract/flows/flow-input.ts';
import type { WaitCode } from '../../../contract/flows/wait-codes.ts';
import type { ChartView, RunningTimer } from '../../../engine/chart/chart-view.ts';
import { textWithoutEnd } from '../../../flows/language/waiting-for.ts';
import { capitalized, formatFlowName, formatName } from '../../../processes/views/format-names.ts';
import { wholeBooking } from '../../../processes/views/progress.ts';
import {
  durationIsOver,
  formatDuration,
  formatEvent,
  readable,
  sentence,
} from '../../../processes/views/readable.ts';
import type { UpcomingEvent } from './glance-view.ts';
import { ofBooking } from './item-locations.ts';
import { titleOf } from './state-track.ts';

export interface EventParts {
  /** Null: it is not known. */
  readonly chart: ChartView | null;
  readonly timers: readonly RunningTimer[];
}

// A list that is longer is not read.
export const MAX_NEXT = 4;

/** What its chart waits for, and what its bookings do. */
export function nextOf({ chart, timers }: EventParts, progress: ProcessProgress): UpcomingEvent[] {
  const { waitingFor, halted } = progress;
  // Its bookings go on while its chart has halted.
  const waits = waitingFor.filter(({ kind }) => kind !== 'time' && (!halted || ofBookings.has(kind)));
  const direct = waits.filter(({ kind, stage }) => kind !== 'leg' || stage !== undefined);
  // What begins once something else is over is said only where nothing else is.
  const awaited = (direct.length > 0 ? direct : waits).map((each) => ({
    code: each.code,
    words: sentence(ofBooking(progress, each.booking, formatWaitingFor(each, progress))),
    until: each.until,
    isOverdue: each.isOverdue === true,
  }));
  // The timers of a booking are the ends of what its legs wait for.
  const own = halted || wholeBooking(progress) ? [] : timers;
  const timed = own.map(({ until, ...timer }) => ({
    code: 'Time' as const,
    words: sentence(formatTimer(chart, timer)),
    until,
    isOverdue: false,
  }));
  const decision: UpcomingEvent[] = halted
    ? [{ code: 'Halted', words: 'A person decides how it goes on.', until: null, isOverdue: false }]
    : [];
  return [...decision, ...awaited, ...timed].slice(0, MAX_NEXT);
}

const ofBookings: ReadonlySet<WaitingFor['kind']> = new Set(['leg', 'booking', 'undoing']);

/** Who acts in each stage: by role where a role differs, else for all roles. */
const stageTexts: Readonly<
  Record<LegStage, Readonly<Partial<Record<Role, string>>> & { readonly else: string }>
> = {
  dropOff: {
    intake: 'The user brings the item to the locker',
    shipment: 'The sender puts the item into the locker',
    else: 'The desk puts the item into the locker',
  },
  receiver: { else: 'Somebody says who receives the item' },
  pickUp: {
    intake: 'The desk takes the item out of the locker',
    else: 'The receiver takes the item out of the locker',
  },
};

function formatWaitingFor(awaited: WaitingFor, { questions }: ProcessProgress): string {
  const { kind, code, stage, role, words, why, id, who, type, events = [] } = awaited;
  switch (kind) {
    case 'decision':
      return `A person decides: ${readable(why ?? words)}`;
    case 'answer': {
      const question = questions.find((each) => each.id === id);
      return `${formatName(who ?? '')} answers: “${question?.question ?? words}”`;
    }
    case 'flow':
      return `“${formatFlowName(type ?? words)}” comes to its end`;
    case 'call':
      return `${formatName(type ?? words)} answers`;
    case 'event':
      return `It hears of ${eitherOf(events.map((each) => `“${formatEvent(each)}”`))}`;
    case 'definition':
      return 'It begins';
    default:
      if (stage && role) return stageTexts[stage][role] ?? stageTexts[stage].else;
      return texts[code] ?? readable(textWithoutEnd(awaited));
  }
}

const texts: Readonly<Partial<Record<WaitCode, string>>> = {
  Booking: 'It is booked',
  FreeLocker: 'A locker becomes free, and is booked',
  Undoing: 'What was booked is undone',
};

const eitherOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** What a deadline of a flow file does, as far as its chart says it. */
function formatTimer(chart: ChartView | null, { state, event, after }: Omit<RunningTimer, 'until'>): string {
  const at = chart?.states.find(({ path }) => path === state);
  const place = state === '' ? '' : ` in “${at ? titleOf(at) : formatName(state)}”`;
  const duration = formatDuration(after);
  const over = duration === null ? `Its time${place} is over` : capitalized(durationIsOver(duration, place));
  const taken = chart?.transitions.find((each) => each.from === state && each.event === event);
  const [to] = taken?.to ?? [];
  const target = to === undefined ? undefined : chart?.states.find(({ path }) => path === to);
  if (target) return `${over}: it goes on to “${titleOf(target)}”`;
  return taken?.emits ? `${over}: others hear of it` : over;
}
