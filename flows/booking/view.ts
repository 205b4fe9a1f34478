// The state of a flow for people, computed once after each event from its known facts and its state in the chart. The
// details in the Web UI, the answer to `progress` and the search attributes all read this. No personal data, no access
// codes.
import type {
  DeadlineProgress,
  Phase,
  Progress,
  UnassignedShipment,
  WaitingFor,
} from '../../contract/flows/flow-answers.ts';
import type { Instant, Role, Stage } from '../../contract/flows/flow-input.ts';
import { isStateCode } from '../../contract/machines/chart.ts';
import { instantOf } from '../../contract/machines/state-start.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import { minute, waitingFor, waitingForDecision } from '../language/waiting-for.ts';
import { deadlinesAhead, type OpenDeadline, openDeadline, stageOfState } from './deadlines.ts';
import {
  type FlowContext,
  isDone,
  isInactive,
  isKeptBooked,
  isRoleGiven,
  type KnownShipment,
  shipmentWithRole,
  stateOf,
} from './known.ts';
import { assignments, isEndInDoubt, unassigned } from './settlement.ts';

/** The name of the flow's state in its chart. */
export type Place = 'booking' | 'bookingUnknown' | 'booked' | 'following' | 'undoing' | 'stuck' | 'ended';

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
    unassigned: unassigned(flow, known),
    phase: phaseOf(place, decisions, legs),
    waitingFor: waitingOf(flow, known, place, decisions, legs),
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

const RESOLVE = '`resolve`';

/** Cases that only a person can decide. */
function personNeeded(flow: Declaration, known: FlowContext, place: Place): WaitingFor[] {
  if (place === 'bookingUnknown')
    return [
      decision({
        reason: 'BookingUnknown',
        since: known.unknownBooking?.since ?? null,
        why: 'it is not known whether the booking was made',
      }),
    ];
  if (place === 'stuck') return [decision({ reason: 'NotUndone', why: `not undone: ${notUndone(known)}` })];
  if (place !== 'following') return [];
  const contradictory = known.shipments
    .filter(({ contradiction, isSuperseded }) => contradiction !== null && !isSuperseded)
    .map(({ shipmentUid, stateCode, contradiction }) =>
      decision({
        reason: 'Contradiction',
        shipmentUid,
        since: contradictedAt(known, shipmentUid),
        why: `\`${shipmentUid}\` is reported as ${contradiction} after ${stateCode}`,
      }),
    );
  if (assignments(flow, known).length === 0) return [...contradictory, unmatched(flow, known)];
  return flow.personAssignsLegs && isEndInDoubt(flow, known)
    ? [...contradictory, indistinct(known)]
    : contradictory;
}

const decision = (
  given: Omit<Parameters<typeof waitingForDecision>[0], 'by'> & { by?: string },
): WaitingFor => waitingForDecision({ by: RESOLVE, ...given });

const contradictedAt = ({ reportHistory }: FlowContext, shipmentUid: string): Instant | null =>
  reportHistory.find((entry) => entry.judgement === 'contradictory' && entry.shipmentUid === shipmentUid)
    ?.receivedAt ?? null;

function indistinct({ shipments }: FlowContext): WaitingFor {
  const open = shipments.filter((shipment) => !isRoleGiven(shipment));
  const uids = open.map(({ shipmentUid, stateCode }) => `\`${shipmentUid}\` ${stateCode ?? 'Unknown'}`);
  return decision({
    reason: 'LegsIndistinct',
    by: `${RESOLVE} adopt`,
    why: `the reports do not show which leg is which, so it may be done or not: ${uids.join(', ')}`,
  });
}

function unmatched(flow: Declaration, { shipments }: FlowContext): WaitingFor {
  const why = `${shipments.length} shipments for ${rolesOf(flow).length} legs`;
  return decision({ reason: 'LegsUnmatched', why });
}

function notUndone({ notUndone: failed, shipments }: FlowContext): string {
  const said = Object.entries(failed).map(([uid, code]) => `\`${uid}\` ${code}`);
  return said.length > 0 ? said.join(', ') : `the end of ${shipments.length} shipments is not known`;
}

function waitingOf(
  flow: Declaration,
  known: FlowContext,
  place: Place,
  decisions: readonly WaitingFor[],
  legs: readonly LegNow[],
): readonly WaitingFor[] {
  switch (place) {
    case 'booking': {
      const words = known.start.input.waitForLocker ? 'the booking, and a free locker for it' : 'the booking';
      return [waitingFor({ kind: 'booking', who: 'service', since: known.startedAt, words })];
    }
    case 'undoing':
      return [waitingFor({ kind: 'undoing', who: 'service', words: 'the flow to be undone' })];
    case 'bookingUnknown':
    case 'stuck':
      return decisions;
    case 'booked':
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
  const { role, shipment, deadline } = leg;
  const { words, ...wait } = waitOf(flow, known, leg);
  const end = deadline ? ` ${deadline.passed ? 'overdue since' : 'until'} ${minute(deadline.until)}` : '';
  return waitingFor({
    kind: 'leg',
    role,
    since: shipment?.since ? new Date(shipment.since).toISOString() : null,
    until: deadline ? new Date(deadline.until).toISOString() : null,
    ...wait,
    ...(shipment && { shipmentUid: shipment.shipmentUid }),
    ...(deadline?.passed && { isOverdue: true }),
    words: `${role} ${words}${end}`,
  });
}

function waitOf(
  flow: Declaration,
  known: FlowContext,
  { role, state, shipment, deadline }: LegNow,
): Pick<WaitingFor, 'who' | 'words'> & Partial<Pick<WaitingFor, 'stage'>> {
  if (state === 'ReadyForPickup' && !deadline && isKeptBooked(flow, known, role)) {
    const last = shipment?.pickedUpAt;
    const pickedUp = last === undefined ? '' : `, last picked up ${minuteOf(last)}`;
    return { who: 'dispatcher', words: `to be cancelled: it is kept booked${pickedUp}` };
  }
  if (state === 'Unknown') return { who: 'service', words: 'to be reported' };
  const stage = isStateCode(state) ? stageOfState[state] : undefined;
  if (stage) return { stage, ...stageWaits[stage] };
  const { follows } = legOf(flow, role);
  if (!follows) return { who: null, words: 'to begin' };
  const before = follows.link === 'circularStock' ? 'dropped off' : 'picked up';
  return { who: null, words: `to begin when ${follows.role} is ${before}` };
}

const stageWaits: Readonly<Record<Stage, Pick<WaitingFor, 'who' | 'words'>>> = {
  dropOff: { who: 'sender', words: 'to be dropped off' },
  receiver: { who: 'dispatcher', words: 'to get a receiver' },
  pickUp: { who: 'receiver', words: 'to be picked up' },
};

export const stageNames: Readonly<Record<Stage, string>> = {
  dropOff: 'drop off',
  receiver: 'receiver',
  pickUp: 'pick up',
};

/** As a service wrote it, which may be unreadable. */
function minuteOf(moment: Instant): string {
  const instant = instantOf(moment);
  return instant === null ? 'at an unknown time' : minute(instant);
}
