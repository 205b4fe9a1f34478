// What stands above the fold of a process: where its item is, what happens next and when, what is wrong, what to do. Made of what
// the process says of itself; none of it needs a look at the chart.
import type { ProcessProgress, WaitingFor } from '../../../contract/flows/flow-answers.ts';
import type { Stage as LegStage, Role } from '../../../contract/flows/flow-input.ts';
import type { WaitCode } from '../../../contract/flows/wait-codes.ts';
import { hasEnded } from '../../../contract/wire/states.ts';
import type { ChartView, RunningTimer } from '../../../engine/chart/chart-view.ts';
import { textWithoutEnd } from '../../../flows/language/waiting-for.ts';
import type { ActionForm } from '../../../processes/action-forms/question-forms.ts';
import type { PendingActivity } from '../../../processes/views/execution.ts';
import {
  capitalized,
  formatFlowName,
  formatName,
  formatState,
} from '../../../processes/views/format-names.ts';
import { namesIn } from '../../../processes/views/happened.ts';
import {
  type BookedShipment,
  nameOfLeg,
  shipmentsIn,
  wholeBooking,
} from '../../../processes/views/progress.ts';
import {
  durationIsOver,
  formatDuration,
  formatEvent,
  formatFailure,
  type Names,
  readable,
  sentence,
} from '../../../processes/views/readable.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import type { Headline, ItemLocation, LockerShown, Tone, UpcomingEvent } from './glance-view.ts';
import { phaseWords } from './phase-words.ts';
import { titleOf } from './state-track.ts';

interface HeadlineParts {
  readonly process: Pick<ShownProcess, 'flow' | 'status' | 'failure' | 'trying'>;
  readonly progress: ProcessProgress | null;
  readonly actionForms: readonly ActionForm[];
  /** Null: it is not known. */
  readonly chart: ChartView | null;
  readonly timers: readonly RunningTimer[];
  readonly parent: string | null;
}

export function headlineOf(parts: HeadlineParts): Headline {
  const { process, progress, parent } = parts;
  const title = parts.chart?.states[0]?.title ?? formatFlowName(process.flow);
  const primary = primaryOf(parts);
  return {
    title,
    parent,
    status: statusOf(process, progress),
    where: progress ? whereOf(progress) : [],
    next: process.status === 'Running' && progress ? nextOf(parts, progress) : [],
    wrong: wrongOf(parts),
    todo: todoOf(parts, primary),
    primary: primary?.id ?? null,
  };
}

const ends: Readonly<Record<string, { words: string; tone: Tone }>> = {
  Done: { words: 'Done', tone: 'good' },
  Overdue: { words: 'Ended overdue', tone: 'bad' },
  Cancelled: { words: 'Cancelled', tone: 'bad' },
  Completed: { words: 'Ended', tone: 'good' },
  Failed: { words: 'Failed', tone: 'bad' },
  Terminated: { words: 'Terminated, nothing was undone', tone: 'bad' },
  TimedOut: { words: 'Timed out', tone: 'bad' },
};

function statusOf(
  { status }: HeadlineParts['process'],
  progress: ProcessProgress | null,
): Headline['status'] {
  if (status !== 'Running') {
    const outcome = progress && wholeBooking(progress)?.outcome;
    const end = ends[status === 'Completed' && outcome ? outcome : status];
    return end ?? { words: status, tone: 'plain' };
  }
  if (!progress) return { words: 'Does not answer now', tone: 'warn' };
  const { phase } = progress;
  if (phase === 'NeedsPerson' || phase === 'Overdue') return phaseWords[phase];
  if (progress.questions.length > 0) return { words: 'Waits for an answer', tone: 'warn' };
  return phaseWords.Open;
}

/** Where the items are now: the legs that are not over, or the last leg if all are. */
function whereOf(progress: ProcessProgress): ItemLocation[] {
  const { bookings } = progress;
  const left = bookings.flatMap(({ itemsLeft }) =>
    itemsLeft.map(({ lockerName, pupUid }) => ({
      words: lockerName === null ? 'Left in its locker' : `Left in locker ${lockerName}`,
      pupUid,
    })),
  );
  if (left.length > 0) return left;
  const places = shipmentsIn(progress).flatMap((leg) => placeOf(leg) ?? []);
  const known = places.filter(({ isOver }) => !isOver);
  const shown = known.length > 0 ? known : places.slice(-1);
  return shown.map(({ words, pupUid, booking }) => ({ words: ofBooking(progress, booking, words), pupUid }));
}

/** With the booking, where the process has several. */
function ofBooking({ bookings }: ProcessProgress, id: string | undefined, words: string): string {
  return id !== undefined && bookings.length > 1 ? `${formatName(id)}: ${uncapitalized(words)}` : words;
}

const uncapitalized = (words: string): string => words.slice(0, 1).toLowerCase() + words.slice(1);

interface Place extends ItemLocation {
  readonly booking: string;
  readonly isOver: boolean;
}

function placeOf({ booking, role, shipment }: BookedShipment): Place | undefined {
  const { stateCode, lockerName, pupUid } = shipment;
  const locker = lockerName === null ? 'its locker' : `locker ${lockerName}`;
  const at = { pupUid, booking: booking.id };
  if (role === null) return undefined;
  switch (stateCode) {
    case 'ReadyForDropoff': {
      const isOut = Object.values(booking.shipments).some((each) => each.stateCode === 'Completed');
      const held = role === 'intake' && isOut ? 'With the user' : 'Not in a locker yet';
      const booked = lockerName === null ? '' : `; ${locker} is booked for it`;
      return { ...at, words: `${held}${booked}`, isOver: false };
    }
    case 'WaitForReceiver':
    case 'ReadyForPickup':
      return { ...at, words: `In ${locker}`, isOver: false };
    case 'Completed':
      return { ...at, words: role === 'intake' ? 'Brought back' : 'Picked up', isOver: true };
    default:
      return undefined;
  }
}

// A list that is longer is not read.
export const MAX_NEXT = 4;

/** What its chart waits for, and what its bookings do. */
function nextOf({ chart, timers }: HeadlineParts, progress: ProcessProgress): UpcomingEvent[] {
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

function wrongOf({ process, progress }: HeadlineParts): string[] {
  const names = namesIn(progress);
  const { failure, status, trying } = process;
  const all = [
    ...(failure && status !== 'Cancelled' ? [formatFailure(failure, names)] : []),
    ...(progress?.halted ? [`A step could not be taken: ${formatHalt(progress.halted, names)}`] : []),
    ...(progress ? wrongWithBookings(progress, names) : []),
    ...(waitsForLocker(progress) ? [] : trying.flatMap((each) => formatRetriedActivity(each, names))),
  ];
  return [...new Set(all.map(sentence))];
}

const formatHalt = (
  { message, details: fault }: NonNullable<ProcessProgress['halted']>,
  names: Names,
): string => formatFailure({ message, fault }, names);

/** It was asked to wait until one is free: that is no failure. */
const waitsForLocker = (progress: ProcessProgress | null): boolean =>
  (progress?.waitingFor ?? []).some(({ code }) => code === 'FreeLocker');

function wrongWithBookings(progress: ProcessProgress, names: Names): string[] {
  const { waitingFor, bookings } = progress;
  const decisions = waitingFor.filter(({ kind, code }) => kind === 'decision' && code !== 'Halted');
  const overdue = waitingFor.flatMap(({ isOverdue, stage, role, until, booking = '' }) =>
    isOverdue && stage && role
      ? [
          `${nameOfLeg(progress, { id: booking }, role)}: ${stageNames[stage]} is overdue${until ? ` since ${until}` : ''}`,
        ]
      : [],
  );
  const left = bookings
    .flatMap(({ itemsLeft }) => itemsLeft)
    .map(
      ({ lockerName }) =>
        `An item was left in ${lockerName === null ? 'its locker' : `locker ${lockerName}`}`,
    );
  return [...decisions.map(({ why, words }) => readable(why ?? words, names)), ...overdue, ...left];
}

const stageNames: Readonly<Record<LegStage, string>> = {
  dropOff: 'the drop off',
  receiver: 'the choice of a receiver',
  pickUp: 'the pick up',
};

const formatRetriedActivity = (
  { activity, attempt, lastFailure }: PendingActivity,
  names: Names,
): string[] =>
  lastFailure === null
    ? []
    : [
        `${formatName(activity)} failed${formatTimes(attempt - 1)} and is tried again: ${readable(lastFailure, names)}`,
      ];

const formatTimes = (count: number): string => ['', ' once'][count] ?? ` ${count} times`;

/** In a decision, the one that does no harm. */
function primaryOf({ actionForms, progress }: HeadlineParts): ActionForm | undefined {
  const mild = actionForms.filter(({ isDestructive }) => !isDestructive);
  const by = (...commands: readonly string[]) => {
    for (const command of commands) {
      const found = mild.find((each) => each.command === command);
      if (found) return found;
    }
    return undefined;
  };
  const answer = mild.find(({ command }) => command === 'answer');
  if (answer) return answer;
  // A halted step is fixed by correcting the flow file: every action offered here would lose something.
  if (progress?.halted) return undefined;
  if (progress?.phase === 'NeedsPerson')
    return by('adopt', 'setState', 'retry') ?? actionForms.find(isDecision);
  if (progress?.phase === 'Overdue') return by('extend');
  const waitsForReceiver = progress?.waitingFor.some(({ stage }) => stage === 'receiver');
  return waitsForReceiver ? by('setReceiver') : undefined;
}

const isDecision = ({ command }: ActionForm): boolean => command === 'dropEvent' || command === 'giveUp';

function todoOf({ process, progress }: HeadlineParts, primary: ActionForm | undefined): string | null {
  if (progress?.bookings.some(({ itemsLeft }) => itemsLeft.length > 0))
    return 'Fetch the item that was left, and say in the inbox that the locker is empty.';
  if (process.status === 'Failed') return todoOfFailed(progress);
  if (process.status !== 'Running' || !progress) return null;
  const [question] = progress.questions;
  if (question) return sentence(`Answer the question: “${question.question}”`);
  if (progress.halted)
    return 'Tell who maintains the flow: its file is corrected, and the step taken again. What else can be done is under Actions.';
  if (progress.phase === 'NeedsPerson')
    return primary
      ? `Decide how it goes on: ${primary.label.toLowerCase()}, or another way under More.`
      : 'Decide how it goes on.';
  if (progress.phase === 'Overdue')
    return 'Ask the person what keeps them; then extend the deadline, or cancel.';
  if (primary?.command === 'setReceiver') return 'Say who receives the item.';
  return null;
}

function todoOfFailed(progress: ProcessProgress | null): string | null {
  if (!progress || progress.bookings.length === 0) return null;
  return shipmentsIn(progress).length > 0
    ? null
    : 'Nothing is booked. Start it again, with another size, place or person, or later.';
}

const goals: Readonly<Record<string, LockerShown['goal']>> = {
  ReadyForDropoff: 'DropOff',
  WaitForReceiver: 'PickUp',
  ReadyForPickup: 'PickUp',
};

/** What has ended has given its locker back. */
export function lockersOf(key: string, progress: ProcessProgress | null): LockerShown[] {
  return shipmentsIn(progress ?? { bookings: [] }).flatMap(({ shipment, name }) => {
    const { shipmentUid, stateCode, pupUid, lockerName } = shipment;
    if (lockerName === null || hasEnded(stateCode)) return [];
    const words = `${name}: ${formatState(stateCode ?? 'Unknown')}`;
    return [{ key, shipmentUid, words, pupUid, lockerName, goal: goals[stateCode ?? ''] ?? null }];
  });
}
