// What flows and the locker service disagree about, judged from what both have said. Pure.

import type { Role } from '../../../contract/flows/flow-input.ts';
import { hasEnded } from '../../../contract/wire/states.ts';
import type { Disagreement, LockerStatus } from './disagreement.ts';

export interface FlowLeg {
  readonly role: Role | null;
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  /** The flow waits for nothing more of it. */
  readonly isDone: boolean;
  /** Another flow has booked it and keeps it: both follow it rightly. */
  readonly isOfOther: boolean;
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

export interface BothStores {
  readonly flows: readonly ComparedFlow[];
  /** What the service has; null: it was asked, and has no such shipment. What was not asked is not there. */
  readonly shipments: ReadonlyMap<string, ServiceShipment | null>;
  /** The statuses of the flows outside of `flows` that hold a shipment: those that ended earlier. */
  readonly earlierHolders: ReadonlyMap<
    string,
    readonly { readonly workflowId: string; readonly status: string }[]
  >;
  readonly lockers: ReadonlyMap<string, ServiceLocker>;
}

export const placeOf = (pupUid: string | null, lockerName: string | null): string =>
  JSON.stringify([pupUid, lockerName]);

/** In these the item is in the locker. */
const itemIn: ReadonlySet<string | null> = new Set(['WaitForReceiver', 'ReadyForPickup']);
/** Temporal ended them from outside, or they failed: they have undone nothing. */
const leftBehind: ReadonlySet<string> = new Set(['TERMINATED', 'TIMED_OUT', 'FAILED']);

export const isActive = (shipment: ServiceShipment | null | undefined): shipment is ServiceShipment =>
  shipment != null && !hasEnded(shipment.stateCode);

/** Whether the service must be asked for it: what is active is listed, and what ended with its flow is no matter. */
export const isToBeFound = ({ status }: ComparedFlow, leg: FlowLeg): boolean =>
  hasItem(leg) || (status === 'RUNNING' && !leg.isDone && !hasEnded(leg.stateCode));

const hasItem = ({ stateCode, isItemLeft }: FlowLeg): boolean => isItemLeft || itemIn.has(stateCode);

export function disagreements(stores: BothStores): Disagreement[] {
  const ofFlows = stores.flows.flatMap((flow) => flow.legs.flatMap((leg) => ofLeg(stores, flow, leg)));
  return [...ofFlows, ...ofBookings(stores), ...ofSeveralHolders(stores)];
}

/** Active bookings that two open flows take for their own. */
function ofSeveralHolders(stores: BothStores): Disagreement[] {
  return [...stores.shipments.values()].filter(isActive).flatMap((shipment) => {
    const holders = stores.flows
      .filter(({ status }) => status === 'RUNNING')
      .flatMap((flow) => flow.legs.filter((leg) => isOwn(leg, shipment)).map((leg) => ({ flow, leg })))
      // The same one first, whenever one looks.
      .sort((a, b) => (a.flow.workflowId < b.flow.workflowId ? -1 : 1));
    const [first, ...others] = holders;
    if (!first || others.length === 0) return [];
    const alsoHeldBy = others.map(({ flow, leg }) => ({ workflowId: flow.workflowId, role: leg.role }));
    return [{ ...found(stores, 'heldTwice', first.flow, first.leg, shipment), alsoHeldBy }];
  });
}

const isOwn = ({ shipmentUid, isDone, isOfOther }: FlowLeg, shipment: ServiceShipment): boolean =>
  shipmentUid === shipment.shipmentUid && !isDone && !isOfOther;

function ofLeg(stores: BothStores, flow: ComparedFlow, leg: FlowLeg): Disagreement[] {
  const shipment = stores.shipments.get(leg.shipmentUid);
  // It was not asked for: it is neither active nor awaited.
  if (shipment === undefined) return [];
  const kind = shipment === null ? kindOfLost(stores, flow, leg) : kindOfOther(stores, flow, leg, shipment);
  return kind === null ? [] : [found(stores, kind, flow, leg, shipment)];
}

function kindOfLost(
  stores: BothStores,
  { status, isGivenUp }: ComparedFlow,
  leg: FlowLeg,
): Disagreement['kind'] | null {
  // What a person has given up is a reminder as long as the locker is not emptied: then others may book it.
  const isSettled = isGivenUp && status !== 'RUNNING' && lockerStatus(stores, leg) !== 'NotFree';
  if (hasItem(leg)) return isSettled ? null : 'itemForgotten';
  return status === 'RUNNING' && !leg.isDone ? 'bookingGone' : null;
}

function kindOfOther(
  stores: BothStores,
  { status, isFollowing }: ComparedFlow,
  leg: FlowLeg,
  shipment: ServiceShipment,
): Disagreement['kind'] | null {
  if (isActive(shipment) && leftBehind.has(status)) return heldByOpen(stores, shipment) ? null : 'flowEnded';
  if (leg.stateCode === null || shipment.stateCode === null || shipment.stateCode === leg.stateCode)
    return null;
  if (isBehind(shipment, leg)) return 'serviceBehind';
  // A flow does not follow what is done.
  return status === 'RUNNING' && isFollowing && !leg.isDone ? 'serviceAhead' : null;
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

const heldByOpen = ({ flows }: BothStores, { shipmentUid }: ServiceShipment): boolean =>
  flows.some((flow) => flow.status === 'RUNNING' && holds(flow, shipmentUid));

const holds = ({ legs }: ComparedFlow, shipmentUid: string): boolean =>
  legs.some((leg) => leg.shipmentUid === shipmentUid);

/** Active bookings that no flow of the comparison has. */
function ofBookings(stores: BothStores): Disagreement[] {
  const held = new Set(stores.flows.flatMap(({ legs }) => legs.map(({ shipmentUid }) => shipmentUid)));
  return [...stores.shipments.values()].flatMap((shipment) => {
    if (!isActive(shipment) || held.has(shipment.shipmentUid)) return [];
    const of = (kind: Disagreement['kind'], flow: Pick<ComparedFlow, 'workflowId' | 'status'> | null) => [
      found(stores, kind, flow, null, shipment),
    ];
    const earlier = stores.earlierHolders.get(shipment.shipmentUid) ?? [];
    if (earlier.some(({ status }) => !leftBehind.has(status))) return [];
    const [last] = earlier;
    if (last) return of('flowEnded', last);
    const byCase = stores.flows.find(
      ({ workflowId, status }) => status === 'RUNNING' && workflowId === shipment.referenceCaseNo,
    );
    if (!byCase) return of('noFlow', null);
    return of(byCase.isFollowing ? 'bookedTwice' : 'notAdopted', byCase);
  });
}

function found(
  stores: BothStores,
  kind: Disagreement['kind'],
  flow: Pick<ComparedFlow, 'workflowId' | 'status'> | null,
  leg: FlowLeg | null,
  shipment: ServiceShipment | null,
): Disagreement {
  const pupUid = leg?.pupUid ?? shipment?.pupUid ?? null;
  const lockerName = leg?.lockerName ?? shipment?.lockerName ?? null;
  const place = { pupUid, lockerName };
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
    lockerUid: stores.lockers.get(placeOf(pupUid, lockerName))?.lockerUid ?? null,
    locker: kind === 'itemForgotten' ? lockerStatus(stores, place) : null,
  };
}

function lockerStatus(
  { shipments, lockers }: BothStores,
  { pupUid, lockerName }: Pick<FlowLeg, 'pupUid' | 'lockerName'>,
): LockerStatus {
  const place = placeOf(pupUid, lockerName);
  const isBooked = [...shipments.values()].some(
    (each) => isActive(each) && placeOf(each.pupUid, each.lockerName) === place,
  );
  if (isBooked) return 'BookedByAnother';
  const locker = lockers.get(place);
  if (!locker) return 'Unknown';
  return locker.isFree ? 'Free' : 'NotFree';
}
