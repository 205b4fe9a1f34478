// Undoes a flow: which shipments are cancelled or given back, and what the flow knows after each try.

import { isStateCode } from '../../contract/machines/chart.ts';
import { backoffMs } from '../../shared/limits/backoff.ts';
import { type Declaration, type Leg, legOf } from '../built-in/declaration.ts';
import type { UndoInput, Undone } from './activities.ts';
import { itemsOut } from './items-out.ts';
import {
  type FlowContext,
  isInactive,
  type KnownShipment,
  shipmentOf,
  stateOf,
  withShipment,
} from './known.ts';
import { isDoneForCertain, withRoles } from './settlement.ts';

/** Only a prior shipment is undone in another way than by cancelling, and its role is always known. */
function undoOf(flow: Declaration, { role }: KnownShipment): Leg['undo'] {
  return role ? legOf(flow, role).undo : 'cancel';
}

/** Still active, not done, and this flow's to undo. */
function shipmentsToUndo(flow: Declaration, known: FlowContext): KnownShipment[] {
  return known.shipments.filter(
    (shipment) =>
      !isInactive(shipment) && undoOf(flow, shipment) !== 'leave' && !isDoneForCertain(flow, known, shipment),
  );
}

export function undoInput(flow: Declaration, known: FlowContext): UndoInput {
  const { replacedCaseNo } = known.booking ?? {};
  const replaced = replacedCaseNo && { replacedCaseNo };
  const out = itemsOut(flow, known);
  return {
    shipments: shipmentsToUndo(flow, known).map((shipment) => ({
      shipmentUid: shipment.shipmentUid,
      stateCode: stateOf(shipment),
      isIssuedFromStock: undoOf(flow, shipment) === 'removeReceiver',
      ...(undoOf(flow, shipment) === 'removeReceiver' && replaced),
      ...(out.includes(shipment) && { isItemOut: true as const }),
    })),
  };
}

export function withUndone(flow: Declaration, known: FlowContext, undone: Undone): FlowContext {
  const failed = undone.shipments.flatMap(({ shipmentUid, undone: how, error }) =>
    how === 'NotUndone' ? [[shipmentUid, error ?? 'unknown']] : [],
  );
  const triesOfUndoing = known.triesOfUndoing + 1;
  const start: FlowContext = { ...known, triesOfUndoing, notUndone: Object.fromEntries(failed) };
  const after = undone.shipments.reduce((next, each) => {
    const shipment = shipmentOf(next, each.shipmentUid);
    return shipment ? withShipment(next, afterUndo(flow, shipment, each)) : next;
  }, start);
  return withRoles(flow, after);
}

function afterUndo(
  flow: Declaration,
  shipment: KnownShipment,
  { undone, stateCode }: Undone['shipments'][number],
): KnownShipment {
  // A callback may have reported the end already, with more detail.
  if (isInactive(shipment)) return shipment;
  if (undone === 'ReceiverRemoved') return { ...shipment, isReleased: true };
  if (undone === 'AlreadyEnded' && stateCode !== null && isStateCode(stateCode))
    return { ...shipment, stateCode, stateStart: null, seen: { ...shipment.seen, [stateCode]: null } };
  if (undone !== 'Cancelled') return shipment;
  // Its receiver could no longer be removed, so its item was in the locker.
  const inLocker = undoOf(flow, shipment) === 'removeReceiver' ? { ReadyForPickup: null } : {};
  const seen = { ...inLocker, ...shipment.seen, Cancelled: null };
  return { ...shipment, stateCode: 'Cancelled', stateStart: null, seen };
}

// A cancelled workflow cannot continue as a new run, or it would not end as cancelled, and a try costs eleven events: at
// this pace its history reaches the server's limit of 51,200 after more than a year.
const UNDOING = { firstMs: 600_000, lastMs: 7_200_000, jitter: 0 };

/** Milliseconds: each wait is twice the one before. */
export function nextTryOfUndoing({ triesOfUndoing }: FlowContext): number {
  return backoffMs(Math.max(triesOfUndoing, 1), UNDOING);
}

export function isUndone(flow: Declaration, known: FlowContext): boolean {
  return shipmentsToUndo(flow, known).length === 0;
}

/** Undone, and its callbacks have come: earlier facts, like an item in the locker, are known too. */
export function isUndoneAndReported(flow: Declaration, known: FlowContext): boolean {
  return (
    isUndone(flow, known) &&
    known.shipments.every(({ stateCode, stateStart }) => stateCode !== 'Cancelled' || stateStart !== null)
  );
}
