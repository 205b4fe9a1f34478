// The state of a flow for people, computed once after each event from its known facts and its state in the chart. The
// details in the Web UI, the answer to `progress` and the search attributes all read this. No personal data, no access
// codes.
import type { Instant, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { DeadlineProgress, Phase, Progress } from '../../contract/flows/flow-messages.ts';
import type { UnassignedShipment } from '../../contract/flows/flow-result.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/declaration.ts';
import { instantOf } from '../../machines/state-start.ts';
import { isEndInDoubt } from './ambiguity.ts';
import { deadlinesAhead, type OpenDeadline, openDeadline } from './deadlines.ts';
import {
  isDone,
  isInactive,
  isKeptBooked,
  isRoleGiven,
  type Known,
  type KnownShipment,
  shipmentWithRole,
  stateOf,
} from './known.ts';
import { assignments } from './roles.ts';
import { unassigned } from './settlement.ts';

/** The name of the flow's state in its chart. */
export type Place = 'booking' | 'bookingUnknown' | 'booked' | 'following' | 'undoing' | 'stuck' | 'ended';

export interface LegNow {
  readonly role: Role;
  /** Null: its shipment is not known. */
  readonly shipment: KnownShipment | null;
  /** For display: a state code, Superseded or Unknown. */
  readonly state: string;
  readonly isDone: boolean;
  readonly isAwaited: boolean;
  readonly deadline: OpenDeadline | null;
}

export interface FlowView {
  readonly place: Place;
  readonly known: Known;
  /** In chain order. */
  readonly legs: readonly LegNow[];
  readonly unassigned: readonly UnassignedShipment[];
  readonly phase: Phase;
  /** In words, the most urgent first. */
  readonly awaits: readonly string[];
}

export function viewOf(flow: Declaration, known: Known, place: Place): FlowView {
  const legs = rolesOf(flow).map((role) => legNow(flow, known, role));
  const decisions = place === 'ended' ? [] : personNeeded(flow, known, place);
  return {
    place,
    known,
    legs,
    unassigned: unassigned(flow, known),
    phase: phaseOf(place, decisions, legs),
    awaits: awaits(flow, known, place, decisions, legs),
  };
}

export function openDeadlines({ legs }: Pick<FlowView, 'legs'>): OpenDeadline[] {
  return legs.flatMap(({ deadline }) => deadline ?? []);
}

/** An ended flow has none. */
export function deadlinesOf(flow: Declaration, view: FlowView): DeadlineProgress[] {
  if (view.place === 'ended') return [];
  const ahead = deadlinesAhead(flow, view.known);
  return [
    ...openDeadlines(view),
    ...ahead.map((deadline) => ({ ...deadline, passed: false, ahead: true as const })),
  ].map((deadline) => ({ ...deadline, until: new Date(deadline.until).toISOString() }));
}

export const activities: Readonly<Record<Place, Progress['activity']>> = {
  booking: 'Booking',
  bookingUnknown: 'NeedsPerson',
  booked: 'Following',
  following: 'Following',
  undoing: 'Undoing',
  stuck: 'NeedsPerson',
  ended: 'Ended',
};

function legNow(flow: Declaration, known: Known, role: Role): LegNow {
  const shipment = shipmentWithRole(known, role);
  if (!shipment)
    return { role, shipment: null, state: 'Unknown', isDone: false, isAwaited: true, deadline: null };
  const isLegDone = isDone(flow, known, shipment, role);
  return {
    role,
    shipment,
    state: shipment.isSuperseded ? 'Superseded' : (stateOf(shipment) ?? 'Unknown'),
    isDone: isLegDone,
    isAwaited: !isLegDone && !isInactive(shipment),
    deadline: openDeadline(known, role, shipment),
  };
}

function phaseOf(place: Place, decisions: readonly string[], legs: readonly LegNow[]): Phase {
  if (place === 'ended') return 'Open';
  if (decisions.length > 0) return 'NeedsPerson';
  return openDeadlines({ legs }).some(({ passed }) => passed) ? 'Overdue' : 'Open';
}

/** Cases that only a person can decide. */
function personNeeded(flow: Declaration, known: Known, place: Place): string[] {
  if (place === 'bookingUnknown')
    return ['a person: it is not known whether the booking was made (`resolve`)'];
  if (place === 'stuck') return [`a person: not undone: ${notUndone(known)} (\`resolve\`)`];
  if (place !== 'following') return [];
  const contradictory = known.shipments
    .filter(({ contradiction, isSuperseded }) => contradiction !== null && !isSuperseded)
    .map(
      ({ shipmentUid, stateCode, contradiction }) =>
        `a person: \`${shipmentUid}\` is reported as ${contradiction} after ${stateCode} (\`resolve\`)`,
    );
  if (assignments(flow, known).length === 0) return [...contradictory, unmatched(flow, known)];
  return flow.personAssignsLegs && isEndInDoubt(flow, known)
    ? [...contradictory, indistinct(known)]
    : contradictory;
}

function indistinct({ shipments }: Known): string {
  const open = shipments.filter((shipment) => !isRoleGiven(shipment));
  const uids = open.map(({ shipmentUid, stateCode }) => `\`${shipmentUid}\` ${stateCode ?? 'Unknown'}`);
  return `a person: the reports do not show which leg is which, so it may be done or not: ${uids.join(', ')} (\`resolve\` adopt)`;
}

function unmatched(flow: Declaration, { shipments }: Known): string {
  return `a person: ${shipments.length} shipments for ${rolesOf(flow).length} legs (\`resolve\`)`;
}

function notUndone({ notUndone: failed, shipments }: Known): string {
  const said = Object.entries(failed).map(([uid, code]) => `\`${uid}\` ${code}`);
  return said.length > 0 ? said.join(', ') : `the end of ${shipments.length} shipments is not known`;
}

function awaits(
  flow: Declaration,
  known: Known,
  place: Place,
  decisions: readonly string[],
  legs: readonly LegNow[],
): readonly string[] {
  switch (place) {
    case 'booking':
      return [known.start.input.waitForLocker ? 'the booking, and a free locker for it' : 'the booking'];
    case 'undoing':
      return ['the flow to be undone'];
    case 'bookingUnknown':
    case 'stuck':
      return decisions;
    case 'booked':
    case 'following':
      return [...decisions, ...legsAwaited(flow, known, legs)];
    case 'ended':
      return [];
  }
}

/** A leg without a deadline comes last, in the order of the legs. */
function legsAwaited(flow: Declaration, known: Known, legs: readonly LegNow[]): string[] {
  const urgency = ({ deadline }: LegNow) => deadline?.until ?? Number.MAX_SAFE_INTEGER;
  return legs
    .filter(({ isAwaited }) => isAwaited)
    .sort((one, other) => urgency(one) - urgency(other))
    .map((leg) => legAwaited(flow, known, leg));
}

const waits: Readonly<Record<string, string>> = {
  Unknown: 'to be reported',
  ReadyForDropoff: 'to be dropped off',
  WaitForReceiver: 'to get a receiver',
  ReadyForPickup: 'to be picked up',
};

function legAwaited(flow: Declaration, known: Known, { role, state, shipment, deadline }: LegNow): string {
  if (state === 'ReadyForPickup' && !deadline && isKeptBooked(flow, known, role)) {
    const last = shipment?.pickedUpAt ? `, last picked up ${minuteOf(shipment.pickedUpAt)}` : '';
    return `${role} to be cancelled: it is kept booked${last}`;
  }
  const { follows } = legOf(flow, role);
  const event = follows?.link === 'circularStock' ? 'dropped off' : 'picked up';
  const begins = follows ? `to begin when ${follows.role} is ${event}` : 'to begin';
  const wait = waits[state] ?? begins;
  if (!deadline) return `${role} ${wait}`;
  return `${role} ${wait} ${deadline.passed ? 'overdue since' : 'until'} ${minute(deadline.until)}`;
}

export const stageWords: Readonly<Record<Stage, string>> = {
  dropOff: 'drop off',
  receiver: 'receiver',
  pickUp: 'pick up',
};

/** As a service wrote it, which may be unreadable. */
function minuteOf(moment: Instant): string {
  const instant = instantOf(moment);
  return instant === null ? 'at an unknown time' : minute(instant);
}

/** An instant as people read it; seconds are of no use to them. */
export function minute(instant: number | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
