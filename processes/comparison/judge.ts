// What flows and the locker service disagree about, judged from what both have said. Pure.
import type { Role } from '../../contract/flows/flow-input.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import type { Disagreement } from './disagreement.ts';

export interface FlowLeg {
  readonly role: Role | null;
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
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

export interface ServiceShipment {
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly referenceCaseNo: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
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
