// What a process waits for, as data with its English text for programs, logs and the Web UI, which know no language of a reader:
// processes/views/wait-texts.ts has the text for people.
import type { WaitingFor } from '../../contract/flows/flow-answers.ts';
import {
  type ChartEventCause,
  type DecisionReason,
  decisionReasons,
  type WaitCode,
  type WaitParams,
  waits,
} from '../../contract/flows/wait-codes.ts';
import { actorOf } from '../../engine/chart/messages.ts';
import { titled } from './item-title.ts';

type Given<Code extends WaitCode> = Readonly<{ code: Code; params: WaitParams[Code] }> &
  Partial<Omit<WaitingFor, 'code' | 'kind' | 'params' | 'reason' | 'stage' | 'why' | 'words'>>;

export function waitingFor<Code extends WaitCode>({ code, params, ...given }: Given<Code>): WaitingFor {
  const { kind, stage } = waits[code];
  const text = texts[code](params);
  const isEmpty = Object.keys(params).length === 0;
  return {
    kind,
    code,
    who: null,
    since: null,
    until: null,
    ...given,
    ...(stage && { stage }),
    ...(!isEmpty && { params: params as Readonly<Record<string, unknown>> }),
    ...(isDecision(code)
      ? {
          who: 'operator',
          reason: code,
          why: text.replaceAll('`', ''),
          words: `a person: ${text} (${decidedBy[code] ?? '`resolve`'})`,
        }
      : { words: text }),
  };
}

const isDecision = (code: WaitCode): code is DecisionReason =>
  (decisionReasons as readonly WaitCode[]).includes(code);

/** The commands that decide. */
const decidedBy: Readonly<Partial<Record<DecisionReason, string>>> = {
  LegsIndistinct: '`resolve` adopt',
  Halted: '`migrate`, `drop-event` or `give-up`',
};

const ofLeg =
  (words: string) =>
  ({ role, until, isOverdue }: WaitParams['Report']): string =>
    `${role} ${words}${until === null ? '' : ` ${isOverdue ? 'overdue since' : 'until'} ${minute(until)}`}`;

/** Part of a sentence; for a decision, why it is needed. What is no word is in backticks. */
const texts: { readonly [Code in WaitCode]: (params: WaitParams[Code]) => string } = {
  Booking: () => 'the booking',
  FreeLocker: ({ lockerUid }) =>
    lockerUid === undefined
      ? 'the booking, and a free locker for it'
      : `the booking, once the locker \`${lockerUid}\` is free`,
  Undoing: () => 'the flow to be undone',
  BookingUnknown: () => 'it is not known whether the booking was made',
  NotUndone({ failures, shipments }) {
    const each = inList(failures);
    return `not undone: ${each === '' ? `the end of ${shipments} shipments is not known` : each}`;
  },
  Contradiction: ({ shipmentUid, reported, last }) =>
    `\`${shipmentUid}\` is reported as ${reported} after ${last}`,
  LegsUnmatched: ({ shipments, legs }) => `${shipments} shipments for ${legs} legs`,
  LegsIndistinct: ({ states }) =>
    `the reports do not show which leg is which, so it may be done or not: ${inList(states)}`,
  Halted: ({ event, message }) => `the step for ${event} cannot be taken: ${message}`,
  DropOff: ofLeg('to be dropped off'),
  Receiver: ofLeg('to get a receiver'),
  PickUp: ofLeg('to be picked up'),
  Report: ofLeg('to be reported'),
  Cancellation({ lastPickedUpAt, ...leg }) {
    const at = lastPickedUpAt ? minute(lastPickedUpAt) : 'at an unknown time';
    const last = lastPickedUpAt === undefined ? '' : `, last picked up ${at}`;
    return ofLeg(`to be cancelled: it is kept booked${last}`)(leg);
  },
  Begin: ofLeg('to begin'),
  BeginAfterDropOff: ({ follows, ...leg }) => ofLeg(`to begin when ${follows} is dropped off`)(leg),
  BeginAfterPickUp: ({ follows, ...leg }) => ofLeg(`to begin when ${follows} is picked up`)(leg),
  Answer({ of, question, isClaimed, due, until }) {
    const ends = [due && ` by ${minute(due)}`, until && ` until ${minute(until)}`].join('');
    return `an answer of ${of}${isClaimed ? ' (claimed)' : ''}: ${question}${ends}`;
  },
  Batch({ id, items, done, failed, open, atWork = [] }) {
    const named = atWork.length === 0 ? '' : ` (${shortList(atWork)})`;
    return `${id}: ${done} of ${items} done, ${failed} failed, ${open} at work${named}`;
  },
  Flow: ({ type, itemTitle }) => titled(type, itemTitle),
  Call: ({ type, id, itemTitle }) => titled(`the answer to ${id ?? type}`, itemTitle),
  Overdue: ({ state, since }) => `${state}: overdue${since === null ? '' : ` since ${minute(since)}`}`,
  Time: ({ timer, until }) => `${timer}, until ${minute(until)}`,
  Event: ({ events }) => `events: ${events.join(', ')}`,
  Definition: () => 'the definition of its flow',
};

interface ChartEvent {
  readonly cause: ChartEventCause;
  readonly actor?: string;
}

/** Undefined: it has a name of its own, and xstate has not made it. */
export function chartEventOf(type: string): ChartEvent | undefined {
  const actor = actorOf(type);
  if (actor !== undefined)
    return { cause: type.startsWith('xstate.error.') ? 'actorFailed' : 'actorDone', actor };
  if (type.startsWith('xstate.after.')) return { cause: 'timer' };
  if (type.startsWith('xstate.done.state.')) return { cause: 'statesDone' };
  return type === '' ? { cause: 'start' } : undefined;
}

const chartEventNames: Readonly<Record<ChartEventCause, (actor?: string) => string>> = {
  actorFailed: (actor) => `the failure of ${actor}`,
  actorDone: (actor) => `the end of ${actor}`,
  timer: () => 'the end of a wait',
  statesDone: () => 'the end of the states within',
  start: () => 'the start',
};

/** Names an event in a sentence, in words where the name is xstate's own. */
export function plainEventName(type: string): string {
  const event = chartEventOf(type);
  return event ? chartEventNames[event.cause](event.actor) : type;
}

/** Nobody reads more names in one sentence. */
const MAX_NAMED = 5;

const shortList = (names: readonly string[]): string =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : names.join(', ');

const inList = (byUid: Readonly<Record<string, string>>): string =>
  Object.entries(byUid)
    .map(([uid, code]) => `\`${uid}\` ${code}`)
    .join(', ');

/** Formats an instant for people, to the minute. */
export function minute(instant: number | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
