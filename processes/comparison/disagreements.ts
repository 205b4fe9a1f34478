// What flows and the locker service disagree about, judged from what both have said: what each kind means, and the commands that
// mend it. Pure.

import type { LegResult } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { hasEnded } from '../../contract/wire/states.ts';

export interface FlowLeg extends LegResult {
  readonly role: Role | null;
  /** The flow waits for nothing more of it. */
  readonly isDone: boolean;
  /** Its cancellation left the item in the locker. */
  readonly isItemLeft: boolean;
}

export interface ComparedFlow {
  readonly workflowId: string;
  readonly status: string;
  /** Whether it knows its shipments: one that still books may find more. */
  readonly isFollowing: boolean;
  /** A person has ended it, and knows what it left. */
  readonly isGivenUp: boolean;
  readonly legs: readonly FlowLeg[];
}

export interface ServiceShipment extends LegResult {
  readonly referenceCaseNo: string | null;
}

export interface ServiceLocker {
  readonly lockerUid: string | null;
  readonly isFree: boolean;
}

export interface Holder {
  readonly workflowId: string;
  readonly status: string;
}

export interface BothStores {
  readonly flows: readonly ComparedFlow[];
  /** What the service has; null: it was asked, and has no such shipment. What was not asked is not there. */
  readonly shipments: ReadonlyMap<string, ServiceShipment | null>;
  /** By shipment: the flows outside of `flows` that hold it, those that ended earlier. */
  readonly earlierHolders: ReadonlyMap<string, readonly Holder[]>;
  /** By placeOf. */
  readonly lockers: ReadonlyMap<string, ServiceLocker>;
}

export const placeOf = (pupUid: string | null, lockerName: string | null): string =>
  JSON.stringify([pupUid, lockerName]);

/** Temporal ended them from outside, or they failed: they have undone nothing. */
const undidNothing: ReadonlySet<string> = new Set(['TERMINATED', 'TIMED_OUT', 'FAILED']);

export const isActive = (shipment: ServiceShipment | null | undefined): shipment is ServiceShipment =>
  shipment != null && !hasEnded(shipment.stateCode);

/** Whether the service must be asked for it: what is active is listed, and what ended with its flow is no matter. */
export const isToBeFound = ({ status }: ComparedFlow, leg: FlowLeg): boolean =>
  isInLocker(leg) || (status === 'RUNNING' && !leg.isDone && !hasEnded(leg.stateCode));

const itemStates: ReadonlySet<string | null> = new Set(['WaitForReceiver', 'ReadyForPickup']);
const isInLocker = ({ stateCode, isItemLeft }: FlowLeg): boolean => isItemLeft || itemStates.has(stateCode);

export function disagreements(stores: BothStores): Disagreement[] {
  const ofFlows = stores.flows.flatMap((flow) => flow.legs.flatMap((leg) => ofLeg(stores, flow, leg)));
  return [...ofFlows, ...withoutFlow(stores)];
}

function ofLeg(stores: BothStores, flow: ComparedFlow, leg: FlowLeg): Disagreement[] {
  const shipment = stores.shipments.get(leg.shipmentUid);
  // It was not asked for: it is neither active nor awaited.
  if (shipment === undefined) return [];
  const kind = shipment === null ? kindOfLost(stores, flow, leg) : kindOfOther(flow, leg, shipment);
  return kind === null ? [] : [found(stores, kind, { flow, leg, shipment })];
}

function kindOfLost(
  { lockers }: BothStores,
  { status, isGivenUp }: ComparedFlow,
  leg: FlowLeg,
): Disagreement['kind'] | null {
  // What a person has given up is a reminder as long as the locker is not emptied: then others may book it.
  const isSettled =
    isGivenUp && status !== 'RUNNING' && lockers.get(placeOf(leg.pupUid, leg.lockerName))?.isFree !== false;
  if (isInLocker(leg)) return isSettled ? null : 'noShipment';
  return status === 'RUNNING' && !leg.isDone ? 'noShipment' : null;
}

function kindOfOther(
  { status, isFollowing }: ComparedFlow,
  leg: FlowLeg,
  shipment: ServiceShipment,
): Disagreement['kind'] | null {
  // An active one of a flow that has undone nothing is a shipment without a flow.
  if (isActive(shipment) && undidNothing.has(status)) return null;
  if (leg.stateCode === null || shipment.stateCode === null || shipment.stateCode === leg.stateCode)
    return null;
  if (isBehind(shipment, leg)) return 'serviceBehind';
  // A flow does not follow what is done.
  return status === 'RUNNING' && isFollowing && !leg.isDone ? 'lateCallback' : null;
}

/** By the service's own clock, which both have; else by the order of the states. */
function isBehind(shipment: ServiceShipment, leg: FlowLeg): boolean {
  const [theirs, ours] = [Date.parse(shipment.stateStart ?? ''), Date.parse(leg.stateStart ?? '')];
  if (!Number.isNaN(theirs) && !Number.isNaN(ours) && theirs !== ours) return theirs < ours;
  return rankOf(shipment.stateCode) < rankOf(leg.stateCode);
}

const ranks = ['Registered', 'ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup'];
function rankOf(stateCode: string | null): number {
  const rank = ranks.indexOf(stateCode ?? '');
  return rank === -1 ? ranks.length : rank;
}

/** Active bookings that no flow looks after, with the flow that is most likely theirs. */
function withoutFlow(stores: BothStores): Disagreement[] {
  return [...stores.shipments.values()].filter(isActive).flatMap((shipment) => {
    const { shipmentUid, referenceCaseNo } = shipment;
    const holders = [
      ...stores.flows.filter(({ legs }) => legs.some((leg) => leg.shipmentUid === shipmentUid)),
      ...(stores.earlierHolders.get(shipmentUid) ?? []),
    ];
    if (holders.some(({ status }) => !undidNothing.has(status))) return [];
    const byCase = stores.flows.find(
      ({ workflowId, status }) => status === 'RUNNING' && workflowId === referenceCaseNo,
    );
    const [flow = byCase] = holders;
    return [found(stores, 'noFlow', { flow, shipment })];
  });
}

interface Parts {
  readonly flow: Holder | undefined;
  readonly leg?: FlowLeg;
  readonly shipment: ServiceShipment | null;
}

function found(
  { lockers }: BothStores,
  kind: Disagreement['kind'],
  { flow, leg, shipment }: Parts,
): Disagreement {
  const pupUid = leg?.pupUid ?? shipment?.pupUid ?? null;
  const lockerName = leg?.lockerName ?? shipment?.lockerName ?? null;
  return {
    kind,
    shipmentUid: leg?.shipmentUid ?? shipment?.shipmentUid ?? '',
    workflowId: flow?.workflowId ?? null,
    flowStatus: flow?.status ?? null,
    role: leg?.role ?? null,
    flowState: leg?.stateCode ?? null,
    serviceState: shipment?.stateCode ?? null,
    pupUid,
    lockerName,
    lockerUid: lockers.get(placeOf(pupUid, lockerName))?.lockerUid ?? null,
    isItemIn: leg !== undefined && isInLocker(leg),
  };
}

type DisagreementKind = 'lateCallback' | 'serviceBehind' | 'noShipment' | 'noFlow';

export interface Disagreement {
  readonly kind: DisagreementKind;
  readonly shipmentUid: string;
  /** The business key of the flow; null where there is none. */
  readonly workflowId: string | null;
  /** Temporal's status of that flow, like RUNNING or TERMINATED. */
  readonly flowStatus: string | null;
  readonly role: Role | null;
  readonly flowState: string | null;
  readonly serviceState: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  readonly lockerUid: string | null;
  /** Whether the flow says that the item lies in that locker. */
  readonly isItemIn: boolean;
}

interface Kind {
  readonly meaning: (found: Disagreement) => string;
  /** The first is the usual one. */
  readonly mend: (found: Disagreement) => readonly string[];
}

const who = '--by <you> --why <reason>';
/** As it is typed in a shell. */
export function shellWord(text: string | null): string {
  if (text === null) return '<unknown>';
  return /^[\w.:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
const cancelShipment = ({ shipmentUid }: Disagreement) =>
  `lockerflow shipment cancel ${shellWord(shipmentUid)}`;
const key = ({ workflowId }: Disagreement) => shellWord(workflowId);
const isOpen = ({ flowStatus }: Disagreement) => flowStatus === 'RUNNING';

const unlockGoals: Readonly<Record<string, 'DropOff' | 'PickUp'>> = {
  ReadyForDropoff: 'DropOff',
  ReadyForPickup: 'PickUp',
};

// A Record, so that a new kind without its words does not compile.
const kinds: Readonly<Record<DisagreementKind, Kind>> = {
  lateCallback: {
    meaning: () =>
      'the service has a later state than its flow: the callback has not come, or Temporal was set back to an earlier point',
    mend: (found) => [
      `npm run -s service -- callback resend <tenantUid> --shipment ${shellWord(found.shipmentUid)}`,
      `lockerflow set-state ${key(found)} --role ${found.role ?? '<role>'} --state-code ${found.serviceState} ${who}`,
    ],
  },
  serviceBehind: {
    meaning: ({ serviceState }) =>
      `the flow was told of a later state than the service has: the service was set back to an earlier point. Look into the locker: ${
        serviceState === 'ReadyForDropoff'
          ? 'if the item is in it, let the service know by the drop-off that it lacks'
          : 'if the item is gone, let the service know by the pick-up that it lacks'
      }; else cancel the shipment`,
    mend: (found) => {
      const goal = unlockGoals[found.serviceState ?? ''];
      const unlock = `lockerflow shipment unlock ${shellWord(found.shipmentUid)} --goal ${goal}`;
      return goal === undefined ? [cancelShipment(found)] : [unlock, cancelShipment(found)];
    },
  },
  noShipment: {
    meaning: ({ isItemIn }) =>
      `the flow has a shipment that the service does not have, most likely because the service was set back to an earlier point${
        isItemIn ? '. Its item lies in the locker, which the service may give to the next booking' : ''
      }`,
    mend: (found) => [
      ...(found.isItemIn
        ? [`npm run -s service -- locker item-left <tenantUid> ${shellWord(found.lockerUid)}`]
        : []),
      ...(isOpen(found)
        ? [`lockerflow cancel ${key(found)}`, `lockerflow give-up ${key(found)} ${who}`]
        : []),
      ...(found.isItemIn
        ? [`npm run -s service -- locker emptied <tenantUid> ${shellWord(found.lockerUid)}`]
        : []),
    ],
  },
  noFlow: {
    meaning: (found) => `an active booking that no flow has: ${reasonOf(found)}`,
    mend: (found) => [
      cancelShipment(found),
      ...(isOpen(found)
        ? [`lockerflow adopt ${key(found)} --shipments <role>=${shellWord(found.shipmentUid)} ${who}`]
        : []),
    ],
  },
};

function reasonOf({ workflowId, flowStatus }: Disagreement): string {
  if (workflowId === null)
    return 'another system has made it, or Temporal was set back to an earlier point and its flow is gone';
  return flowStatus === 'RUNNING'
    ? `it has the case number of ${workflowId}, which has booked a second time, or has not heard of this booking and waits for a person to adopt it`
    : `${workflowId} has ended without undoing anything (${flowStatus})`;
}

export const meaningOf = (found: Disagreement): string => kinds[found.kind].meaning(found);
export const mendingOf = (found: Disagreement): readonly string[] => kinds[found.kind].mend(found);
