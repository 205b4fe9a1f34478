// What a flow waits for and how it stands, in words for an operator. No personal data, no access codes.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { Phase } from '../../contract/flows/flow-messages.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/declaration.ts';
import { type OpenDeadline, openDeadlines } from './deadlines.ts';
import { assignments, shipmentWithRole } from './evidence.ts';
import type { Knowledge } from './knowledge.ts';
import { isDone, isInactive, type LegState, legState } from './legs-now.ts';

/** Where the flow is in its chart, by the name of the state. */
export type Place = 'booking' | 'bookingUnknown' | 'booked' | 'following' | 'undoing' | 'stuck' | 'ended';

export const stageWords: Readonly<Record<Stage, string>> = {
  dropOff: 'drop off',
  receiver: 'receiver',
  pickUp: 'pick up',
};

const waits: Readonly<Partial<Record<LegState, string>>> = {
  Unknown: 'to be heard of',
  ReadyForDropoff: 'to be dropped off',
  WaitForReceiver: 'to get a receiver',
  ReadyForPickup: 'to be picked up',
};

export function phaseOf(flow: Declaration, known: Knowledge, place: Place): Phase {
  if (place === 'ended') return 'Open';
  if (personNeeded(flow, known, place).length > 0) return 'NeedsPerson';
  return openDeadlines(flow, known).some(({ passed }) => passed) ? 'Overdue' : 'Open';
}

/** What only a person can decide. */
export function personNeeded(flow: Declaration, known: Knowledge, place: Place): string[] {
  if (place === 'bookingUnknown') return ['a person: nobody knows whether the booking was made (`resolve`)'];
  if (place === 'stuck') return [`a person: not undone: ${notUndone(known)} (\`resolve\`)`];
  if (place !== 'following') return [];
  const contradictory = known.shipments
    .filter(({ contradiction, isSuperseded }) => contradiction !== null && !isSuperseded)
    .map(
      ({ shipmentUid, stateCode, contradiction }) =>
        `a person: \`${shipmentUid}\` is said to be ${contradiction} after ${stateCode} (\`resolve\`)`,
    );
  const unmatched =
    assignments(flow, known).length === 0
      ? [`a person: ${known.shipments.length} shipments for ${rolesOf(flow).length} legs (\`resolve\`)`]
      : [];
  return [...contradictory, ...unmatched];
}

function notUndone({ notUndone: failed, shipments }: Knowledge): string {
  const said = Object.entries(failed).map(([uid, code]) => `\`${uid}\` ${code}`);
  return said.length > 0 ? said.join(', ') : `the end of ${shipments.length} shipments is not known`;
}

/** The most urgent first. */
export function awaits(flow: Declaration, known: Knowledge, place: Place): string[] {
  switch (place) {
    case 'booking':
      return [known.start.input.waitForLocker ? 'the booking, and a free locker for it' : 'the booking'];
    case 'undoing':
      return ['the flow to be undone'];
    case 'bookingUnknown':
    case 'stuck':
      return personNeeded(flow, known, place);
    case 'booked':
    case 'following':
      return [...personNeeded(flow, known, place), ...legsAwaited(flow, known)];
    case 'ended':
      return [];
  }
}

function legsAwaited(flow: Declaration, known: Knowledge): string[] {
  const deadlines = openDeadlines(flow, known);
  const untilOf = (role: Role) => deadlines.find((each) => each.role === role);
  return rolesOf(flow)
    .filter((role) => isAwaited(flow, known, role))
    .sort((one, other) => urgency(untilOf(one)) - urgency(untilOf(other)))
    .map((role) => legAwaited(flow, known, role, untilOf(role)));
}

function isAwaited(flow: Declaration, known: Knowledge, role: Role): boolean {
  const shipment = shipmentWithRole(flow, known, role);
  return !shipment || (!isInactive(shipment) && !isDone(known, legOf(flow, role), shipment));
}

/** What has no deadline comes last, in the order of the legs. */
function urgency(deadline: OpenDeadline | undefined): number {
  return deadline?.until ?? Number.MAX_SAFE_INTEGER;
}

function legAwaited(
  flow: Declaration,
  known: Knowledge,
  role: Role,
  deadline: OpenDeadline | undefined,
): string {
  const state = legState(flow, known, role);
  const { follows } = legOf(flow, role);
  const event = follows?.link === 'circularStock' ? 'dropped off' : 'picked up';
  const begins = follows ? `to begin when ${follows.role} is ${event}` : 'to begin';
  const wait = waits[state] ?? begins;
  if (!deadline) return `${role} ${wait}`;
  return `${role} ${wait} ${deadline.passed ? 'overdue since' : 'until'} ${minute(deadline.until)}`;
}

/** An instant as people read it; seconds are of no use to them. */
export function minute(instant: number | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
