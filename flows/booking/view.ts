// What people see of a booking, computed once for each of its states from its known facts and from how far it has come. The
// details in the Web UI, the answer to `progress` and the search attributes all read this. No personal data, no access
// codes.
import type { DeadlineProgress } from '../../contract/flows/booking-progress.ts';
import type { Phase, Progress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { Instant, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { UnassignedShipment } from '../../contract/flows/flow-result.ts';
import { isStateCode } from '../../contract/machines/chart.ts';
import { instantOf } from '../../contract/machines/state-start.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import { instantText } from '../language/duration.ts';
import { waitingFor } from '../language/waiting-for.ts';
import { lockerWaitEndOf } from './booking.ts';
import { deadlinesAhead, type OpenDeadline, openDeadline, stageOfState } from './deadlines.ts';
import {
  type FlowContext,
  isDone,
  isInactive,
  isKeptBooked,
  isRoleGiven,
  type KnownShipment,
  requestField,
  shipmentWithRole,
  stateOf,
} from './known.ts';
import { assignments, isCollectedByDesk, isEndInDoubt, unassigned } from './settlement.ts';

/** How far a booking has come. */
export type Place = 'booking' | 'bookingUnknown' | 'following' | 'undoing' | 'stuck' | 'ended';

interface LegNow {
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
  readonly known: FlowContext;
  /** In chain order. */
  readonly legs: readonly LegNow[];
  readonly unassigned: readonly UnassignedShipment[];
  readonly phase: Phase;
  /** The most urgent first. */
  readonly waitingFor: readonly WaitingFor[];
}

export function viewOf(flow: Declaration, known: FlowContext, place: Place): FlowView {
  const legs = rolesOf(flow).map((role) => legNow(flow, known, role));
  const decisions = place === 'ended' ? [] : personNeeded(flow, known, place);
  return {
    place,
    known,
    legs,
    phase: phaseOf(place, decisions, legs),
    // Read by people, who see few of its states.
    get unassigned() {
      return unassigned(flow, known);
    },
    get waitingFor() {
      return waitingOf(flow, known, place, decisions, legs);
    },
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
  following: 'Following',
  undoing: 'Undoing',
  stuck: 'NeedsPerson',
  ended: 'Ended',
};

function legNow(flow: Declaration, known: FlowContext, role: Role): LegNow {
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

function phaseOf(place: Place, decisions: readonly WaitingFor[], legs: readonly LegNow[]): Phase {
  if (place === 'ended') return 'Open';
  if (decisions.length > 0) return 'NeedsPerson';
  return openDeadlines({ legs }).some(({ passed }) => passed) ? 'Overdue' : 'Open';
}

/** Cases that only a person can decide. */
function personNeeded(flow: Declaration, known: FlowContext, place: Place): WaitingFor[] {
  if (place === 'bookingUnknown')
    return [waitingFor({ code: 'BookingUnknown', params: {}, since: known.unknownBooking?.since ?? null })];
  if (place === 'stuck') {
    const { notUndone: failures, shipments } = known;
    return [waitingFor({ code: 'NotUndone', params: { failures, shipments: shipments.length } })];
  }
  if (place !== 'following') return [];
  const contradictory = known.shipments
    .filter(({ isSuperseded }) => !isSuperseded)
    .flatMap((shipment) => contradictionOf(known, shipment) ?? []);
  if (assignments(flow, known).length === 0) return [...contradictory, unmatched(flow, known)];
  return flow.personAssignsLegs && isEndInDoubt(flow, known)
    ? [...contradictory, indistinct(known)]
    : contradictory;
}

function contradictionOf(
  known: FlowContext,
  { shipmentUid, stateCode, contradiction }: KnownShipment,
): WaitingFor | undefined {
  if (contradiction === null) return undefined;
  return waitingFor({
    code: 'Contradiction',
    params: { shipmentUid, reported: contradiction, last: `${stateCode}` },
    shipmentUid,
    since: contradictedAt(known, shipmentUid),
  });
}

const contradictedAt = ({ reportHistory }: FlowContext, shipmentUid: string): Instant | null =>
  reportHistory.find((entry) => entry.judgement === 'contradictory' && entry.shipmentUid === shipmentUid)
    ?.receivedAt ?? null;

function indistinct({ shipments }: FlowContext): WaitingFor {
  const open = shipments.filter((shipment) => !isRoleGiven(shipment));
  const states = open.map(({ shipmentUid, stateCode }) => [shipmentUid, stateCode ?? 'Unknown'] as const);
  return waitingFor({ code: 'LegsIndistinct', params: { states: Object.fromEntries(states) } });
}

const unmatched = (flow: Declaration, { shipments }: FlowContext): WaitingFor =>
  waitingFor({
    code: 'LegsUnmatched',
    params: { shipments: shipments.length, legs: rolesOf(flow).length },
  });

function waitingOf(
  flow: Declaration,
  known: FlowContext,
  place: Place,
  decisions: readonly WaitingFor[],
  legs: readonly LegNow[],
): readonly WaitingFor[] {
  switch (place) {
    case 'booking': {
      const end = lockerWaitEndOf(known);
      const given = { who: 'service', since: known.startedAt };
      if (end === null) return [waitingFor({ code: 'Booking', params: {}, ...given })];
      const lockerUid = requestField(known, 'lockerUid');
      const params = typeof lockerUid === 'string' ? { lockerUid } : {};
      return [waitingFor({ code: 'FreeLocker', params, ...given, until: instantText(end) })];
    }
    case 'undoing':
      return [waitingFor({ code: 'Undoing', params: {}, who: 'service' })];
    case 'bookingUnknown':
    case 'stuck':
      return decisions;
    case 'following':
      return [...decisions, ...waitingForLegs(flow, known, legs)];
    case 'ended':
      return [];
  }
}

/** A leg without a deadline comes last, in the order of the legs. */
function waitingForLegs(flow: Declaration, known: FlowContext, legs: readonly LegNow[]): WaitingFor[] {
  const urgency = ({ deadline }: LegNow) => deadline?.until ?? Number.MAX_SAFE_INTEGER;
  return legs
    .filter(({ isAwaited }) => isAwaited)
    .sort((one, other) => urgency(one) - urgency(other))
    .map((leg) => waitingForLeg(flow, known, leg));
}

function waitingForLeg(flow: Declaration, known: FlowContext, leg: LegNow): WaitingFor {
  const { role, state, shipment, deadline } = leg;
  const until = deadline ? new Date(deadline.until).toISOString() : null;
  const isOverdue = deadline?.passed === true;
  const params = { role, until, isOverdue };
  const given = {
    role,
    since: shipment?.since ? new Date(shipment.since).toISOString() : null,
    until,
    ...(shipment && { shipmentUid: shipment.shipmentUid }),
    ...(isOverdue && { isOverdue }),
  };
  if (state === 'ReadyForPickup' && !deadline && isKeptBooked(flow, known, role)) {
    const last = shipment?.pickedUpAt;
    return waitingFor({
      code: 'Cancellation',
      params: { ...params, ...(last !== undefined && { lastPickedUpAt: isoOf(last) }) },
      ...given,
      who: 'dispatcher',
    });
  }
  if (state === 'Unknown') return waitingFor({ code: 'Report', params, ...given, who: 'service' });
  const stage = isStateCode(state) ? stageOfState[state] : undefined;
  if (stage)
    return waitingFor({
      params,
      ...given,
      ...stageWaits[stage],
      ...(stage === 'pickUp' && isCollectedByDesk(flow, known, role) && { who: 'dispatcher' }),
    });
  const { follows } = legOf(flow, role);
  if (!follows) return waitingFor({ code: 'Begin', params, ...given });
  const code = follows.link === 'circularStock' ? 'BeginAfterDropOff' : 'BeginAfterPickUp';
  return waitingFor({ code, params: { ...params, follows: follows.role }, ...given });
}

const stageWaits: Readonly<
  Record<Stage, { readonly code: 'DropOff' | 'Receiver' | 'PickUp'; readonly who: string }>
> = {
  dropOff: { code: 'DropOff', who: 'sender' },
  receiver: { code: 'Receiver', who: 'dispatcher' },
  pickUp: { code: 'PickUp', who: 'receiver' },
};

/** Null if the service wrote no readable instant. */
function isoOf(moment: Instant): string | null {
  const instant = instantOf(moment);
  return instant === null ? null : new Date(instant).toISOString();
}
