// What counts as a disagreement between a flow and the locker service about a shipment.
import type { Role } from '../../contract/flows/flow-input.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import type { ListedShipment } from '../../shared/locker-api/list-shipments.ts';
import type { ComparedFlow, FlowLeg } from './compared-flows.ts';

export type Owner = Pick<ComparedFlow, 'workflowId' | 'status'>;

export interface Disagreement {
  readonly kind: 'lateCallback' | 'serviceBehind' | 'noShipment' | 'noFlow';
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

export function disagreement(
  kind: Disagreement['kind'],
  flow: Owner | undefined,
  leg: FlowLeg | undefined,
  shipment: ListedShipment | null,
): Disagreement {
  const { shipmentUid = '', pupUid = null, lockerName = null } = leg ?? shipment ?? {};
  return {
    kind,
    shipmentUid,
    workflowId: flow?.workflowId ?? null,
    flowStatus: flow?.status ?? null,
    role: leg?.role ?? null,
    flowState: leg?.stateCode ?? null,
    serviceState: shipment?.stateCode ?? null,
    pupUid,
    lockerName,
    lockerUid: null,
    isItemIn: leg?.isItemIn ?? false,
  };
}

/** Temporal ended them from outside, or they failed: they have undone nothing. */
export const hasUndoneNothing = (status: string): boolean =>
  ['TERMINATED', 'TIMED_OUT', 'FAILED'].includes(status);

const isAwaited = ({ status }: Owner, { isDone }: FlowLeg): boolean => status === 'RUNNING' && !isDone;

/** What is active is listed, and what ended with its flow is no matter. */
export const mustBeThere = (flow: ComparedFlow, leg: FlowLeg): boolean =>
  leg.isItemIn || (isAwaited(flow, leg) && !hasEnded(leg.stateCode));

/** Null: they agree. */
export function disagreementKind(
  flow: ComparedFlow,
  leg: FlowLeg,
  shipment: Pick<ListedShipment, 'stateCode' | 'stateStart'> | null,
  isLockerTaken: boolean,
): Disagreement['kind'] | null {
  if (shipment === null) {
    // What a person has given up is a reminder as long as the locker is not emptied: then others may book it.
    const isSettled = flow.isGivenUp && flow.status !== 'RUNNING' && !isLockerTaken;
    return isAwaited(flow, leg) || (leg.isItemIn && !isSettled) ? 'noShipment' : null;
  }
  // An active one of a flow that has undone nothing is a shipment without a flow.
  if (hasUndoneNothing(flow.status) && !hasEnded(shipment.stateCode)) return null;
  if (leg.stateCode === null || shipment.stateCode === null || shipment.stateCode === leg.stateCode)
    return null;
  if (isBehind(shipment, leg)) return 'serviceBehind';
  return flow.isFollowing && isAwaited(flow, leg) ? 'lateCallback' : null;
}

/** By the service's own clock, which both have; else by the order of the states. */
function isBehind(shipment: Pick<ListedShipment, 'stateCode' | 'stateStart'>, leg: FlowLeg): boolean {
  const [theirs, ours] = [Date.parse(shipment.stateStart ?? ''), Date.parse(leg.stateStart ?? '')];
  if (!Number.isNaN(theirs) && !Number.isNaN(ours) && theirs !== ours) return theirs < ours;
  return rankOf(shipment.stateCode) < rankOf(leg.stateCode);
}

const ranks = ['Registered', 'ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup'];
function rankOf(stateCode: string | null): number {
  const rank = ranks.indexOf(stateCode ?? '');
  return rank === -1 ? ranks.length : rank;
}
