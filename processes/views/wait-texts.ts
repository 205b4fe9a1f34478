// What a process waits for, in the reader's language: the one table of these texts, made of the code and params of each wait. The
// `words` and `why` that a process answers are English: they stand in only where this release knows too little of a code.
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { DecisionReason, WaitCode, WaitParams } from '../../contract/flows/wait-codes.ts';
import { t } from '../../shared/texts/text.ts';
import { actorOf, actorWords, eitherOf } from './awaited.ts';
import { formatAwaitedBatch } from './batch-words.ts';
import { forItem, formatInvoke } from './format-invoke.ts';
import { formatFlowName, formatName, formatRole, formatState, legOf } from './format-names.ts';
import { namesIn, waitsForReturnOfSwap } from './progress.ts';
import { formatEvent, readable } from './readable.ts';

/** What happens next. The end of a leg is left out: whoever shows the text shows it beside. */
export function formatWaitingFor(awaited: WaitingFor, progress: ProcessProgress): string {
  return awaited.kind === 'decision'
    ? t`A person decides: ${readable(formatDecision(awaited, progress))}`
    : (textOf(awaited, progress) ?? readable(awaited.words));
}

/** What is wrong, and a person must decide; part of a sentence. A shipment whose role is not known is named by its uid. */
export const formatDecision = (awaited: WaitingFor, progress: ProcessProgress): string =>
  textOf(awaited, progress) ?? awaited.why ?? awaited.words;

/** For a list, which has no room for why. */
export function formatInShort(awaited: WaitingFor, progress: ProcessProgress): string {
  const { kind, code } = awaited;
  if (kind === 'decision') return decisionsInShort()[code] ?? t`A person decides`;
  return kind === 'time' ? t`Its time is over` : formatWaitingFor(awaited, progress);
}

const decisionsInShort = (): Readonly<Partial<Record<WaitCode, string>>> => ({
  BookingUnknown: t`Booked or not? A person decides`,
  NotUndone: t`Could not be undone: a person decides`,
});

/** Undefined: a worker of another release has a code that is not known here, or does not say enough. */
function textOf(awaited: WaitingFor, progress: ProcessProgress): string | undefined {
  const { code, params = {} } = awaited;
  // Each has the params of its own code.
  return Object.hasOwn(texts, code) ? texts[code](params as never, progress, awaited) : undefined;
}

type TextOf<Code extends WaitCode> = (
  params: WaitParams[Code],
  progress: ProcessProgress,
  awaited: WaitingFor,
) => string | undefined;

const decisions: { readonly [Code in DecisionReason]: TextOf<Code> } = {
  BookingUnknown: () => t`it is not known whether the booking was made`,
  NotUndone({ failures, shipments }, progress) {
    if (shipments === undefined) return undefined;
    const each = byShipment(failures, progress, (code) => code);
    return t`not everything could be undone: ${each === '' ? t`the end of ${shipments} shipments is not known` : each}`;
  },
  Contradiction: ({ shipmentUid, reported, last }, progress) =>
    t`${nameOf(shipmentUid, progress)} is reported as “${formatState(reported)}” after “${formatState(last)}”`,
  LegsUnmatched: ({ shipments, legs }) => t`${shipments} shipments for ${legs} legs`,
  LegsIndistinct: ({ states }, progress) =>
    t`the reports do not show which leg is which, so it may be done or not: ${byShipment(states, progress, (state) => `“${formatState(state)}”`)}`,
  // The rule that is wrong is for whoever corrects it.
  Halted: ({ message, ...event }, { halted }) =>
    t`it has stopped at ${formatStop(event)}: ${halted?.details ? t`a rule of its flow has a mistake` : message}`,
};

const texts: { readonly [Code in WaitCode]: TextOf<Code> } = {
  ...decisions,
  Booking: () => t`It is being booked`,
  FreeLocker: ({ lockerUid }) =>
    lockerUid === undefined
      ? t`A locker becomes free, and is booked`
      : t`The locker that was asked for becomes free, and is booked`,
  Undoing: () => t`What was booked is undone`,
  DropOff: ({ role }, _, { who }) => formatStep({ stage: 'dropOff', role, who }),
  Receiver: ({ role }, _, { who }) => formatStep({ stage: 'receiver', role, who }),
  PickUp: ({ role }, progress, awaited) =>
    formatStep({ stage: 'pickUp', role, who: awaited.who }, waitsForReturnOfSwap(progress, awaited)),
  Report: ({ role }) => t`The locker service reports ${legOf(role)}`,
  Cancellation({ role, lastPickedUpAt }) {
    const known = lastPickedUpAt
      ? t`; last picked up at ${lastPickedUpAt}`
      : t`; last picked up at an unknown time`;
    const last = lastPickedUpAt === undefined ? '' : known;
    return t`${formatRole(role)} is cancelled: until then its locker is kept booked${last}`;
  },
  Begin: ({ role }) => t`${formatRole(role)} begins`,
  BeginAfterDropOff: ({ role, follows }) =>
    t`${formatRole(role)} begins when ${legOf(follows)} is dropped off`,
  BeginAfterPickUp: ({ role, follows }) => t`${formatRole(role)} begins when ${legOf(follows)} is picked up`,
  Answer: ({ of, question }) => of && t`${formatName(of)} answers: “${question}”`,
  Batch: ({ id }, progress) => formatAwaitedBatch({ id }, progress),
  Flow: ({ type, itemTitle }) =>
    type && t`${forItem(`“${formatFlowName(type)}”`, itemTitle)} comes to its end`,
  Call: ({ id, itemTitle }) => id && t`The answer to ${formatInvoke(id, itemTitle)} comes`,
  Overdue: ({ state, since }) => t`${formatName(state)} is overdue${since ? t` since ${since}` : ''}`,
  Time: () => t`Its time is over`,
  Event: ({ events }) => events && t`It hears of ${eitherOf(events.map((each) => `“${formatEvent(each)}”`))}`,
  Definition: () => t`It begins`,
};

function formatStep(
  step: { readonly stage: Stage; readonly role: Role; readonly who: WaitingFor['who'] },
  isReturnOfSwap = false,
): string {
  const { stage } = step;
  if (stage === 'receiver') return t`Somebody says who receives the item`;
  const actor = actorOf(step);
  const who = actor === null ? t`The desk` : actorWords()[actor];
  if (isReturnOfSwap) return t`${who} takes the returned item out of the locker`;
  if (stage === 'pickUp') return t`${who} takes the item out of the locker`;
  return actor === 'user' ? t`${who} brings the item to the locker` : t`${who} puts the item into the locker`;
}

const nameOf = (shipmentUid: string, progress: ProcessProgress): string =>
  namesIn(progress).get(shipmentUid) ?? t`the shipment ${shipmentUid}`;

const byShipment = (
  byUid: Readonly<Record<string, string>> | undefined,
  progress: ProcessProgress,
  format: (code: string) => string,
): string =>
  Object.entries(byUid ?? {})
    .map(([uid, code]) => `${nameOf(uid, progress)} (${format(code)})`)
    .join(', ');

/** The event that it cannot take. A worker of an earlier release does not say the cause, and `event` says it in English. */
function formatStop({ event, cause, actor = '' }: Omit<WaitParams['Halted'], 'message'>): string {
  switch (cause) {
    case 'actorFailed':
      return t`the failure of ${formatInvoke(actor)}`;
    case 'actorDone':
      return t`the end of ${formatInvoke(actor)}`;
    case 'timer':
      return t`the end of a wait`;
    case 'statesDone':
      return t`the end of the states within`;
    case 'start':
      return t`the start`;
    default:
      return `“${formatEvent(event)}”`;
  }
}
