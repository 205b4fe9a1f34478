// Cancels or gives back the shipments of a flow that is undone, in any order, going on with the others when one fails.
// It throws nothing of its own: what could not be undone is told, and the flow decides.

import { activityInfo, getClient, log } from '@temporalio/activity';
import type { ReplacedCaseNo, StateCode } from '../contract/index.ts';
import { hasEnded } from '../contract/wire/states.ts';
import type { UndoInput, Undone } from '../flows/booking/activities.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { findShipment, type ListedShipment } from '../shared/locker-api/list-shipments.ts';
import { keepItemOut } from '../shared/routing/item-out.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { ownKey } from './booking/adoption.ts';
import { failureType } from './failures.ts';
import { callOperation, shipmentReader } from './operation-call.ts';
import { removeReceiverRequest } from './receiver.ts';
import { type Persistence, persistently } from './repeat-call.ts';

type ToUndo = UndoInput['shipments'][number];
type Result = Undone['shipments'][number];

// Long enough for a service that restarts; the flow shows what is left, and calls again.
const UNDOING_MS = 30_000;

/** In these states a shipment may have no receiver that could be removed. */
const statesOfStock: readonly StateCode[] = ['Registered', 'ReadyForDropoff', 'WaitForReceiver'];

export async function undo(dependencies: ActivityDependencies, input: UndoInput): Promise<Undone> {
  const persistence = { until: Date.now() + UNDOING_MS };
  const shipments = await Promise.all(
    input.shipments.map(async (each) => {
      const result = await undoOne(dependencies, each, persistence);
      if (each.isItemOut && (await isOut(dependencies, result))) await leftOut(each.shipmentUid);
      return result;
    }),
  );
  return { shipments };
}

const leftOut = (shipmentUid: string) =>
  keepItemOut(getClient(), activityInfo().taskQueue, { shipmentUid, key: ownKey() });

/**
 * Whether its item is not put in any more; a former attempt may have cancelled it. It may have been put in before, and its callback
 * not have come: then it lies in its locker. A service that does not tell leaves it to a person.
 */
async function isOut(dependencies: ActivityDependencies, result: Result): Promise<boolean> {
  const { shipmentUid, undone, stateCode } = result;
  const isOver = undone === 'Cancelled' || (undone === 'AlreadyEnded' && stateCode !== 'Completed');
  if (!isOver || !dependencies.serviceProfile.capabilities.has('getShipments')) return isOver;
  try {
    const settings = { endsWithCancellation: false };
    const found = await callOperation(dependencies.api, 'GetShipment', { shipmentUid }, settings);
    return found.isItemLeft !== true && found.stateCode !== 'Completed';
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    return true;
  }
}

async function undoOne(
  dependencies: ActivityDependencies,
  shipment: ToUndo,
  persistence: Persistence,
): Promise<Result> {
  const { shipmentUid } = shipment;
  try {
    return {
      shipmentUid,
      undone: await undoShipment(dependencies, shipment, persistence),
      stateCode: null,
      error: null,
    };
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    if (error.code !== 'InvalidShipmentState')
      return {
        shipmentUid,
        undone: 'NotUndone',
        stateCode: null,
        error: failureType(error, dependencies.serviceProfile),
      };
    // assumptions: States: CancelShipment takes every active state, so the shipment has ended.
    const listed = await readListing(dependencies, shipmentUid);
    const stateCode = listed?.stateCode ?? null;
    return {
      shipmentUid,
      undone: 'AlreadyEnded',
      stateCode: hasEnded(stateCode) ? stateCode : null,
      error: null,
    };
  }
}

/** Throws LockerApiError. */
async function undoShipment(
  dependencies: ActivityDependencies,
  { shipmentUid, isIssuedFromStock, stateCode, replacedCaseNo }: ToUndo,
  persistence: Persistence,
): Promise<'Cancelled' | 'ReceiverRemoved'> {
  const mayLoseReceiver = isIssuedFromStock && stateCode !== 'ReadyForPickup';
  if (mayLoseReceiver && replacedCaseNo)
    await restoreCaseNo(dependencies, shipmentUid, replacedCaseNo, persistence);
  if (mayLoseReceiver && (await removeReceiver(dependencies, shipmentUid, persistence)))
    return 'ReceiverRemoved';
  await persistently(() => callOperation(dependencies.api, 'CancelShipment', { shipmentUid }), persistence);
  return 'Cancelled';
}

/** False where the item is in the locker already, for its receiver (assumptions: States, SetShipmentReceiver). */
async function removeReceiver(
  dependencies: ActivityDependencies,
  shipmentUid: string,
  persistence: Persistence,
): Promise<boolean> {
  try {
    const request = removeReceiverRequest(shipmentUid);
    await persistently(() => callOperation(dependencies.api, 'SetShipmentReceiver', request), persistence);
    return true;
  } catch (error) {
    if (!(error instanceof LockerApiError) || error.code !== 'InvalidShipmentState') throw error;
    // An earlier call may have removed it and lost its answer: stock must not be cancelled for that.
    const listed = await readListing(dependencies, shipmentUid);
    const isStock = statesOfStock.some((stateCode) => stateCode === listed?.stateCode);
    return isStock && listed?.toUserUid === null;
  }
}

/**
 * Restores the stock's former case number, before its receiver is removed: afterwards somebody could issue it again. A failure
 * worth retrying is thrown; after any other, the stock keeps the number that it has.
 */
async function restoreCaseNo(
  dependencies: ActivityDependencies,
  shipmentUid: string,
  { former, by }: ReplacedCaseNo,
  persistence: Persistence,
): Promise<void> {
  const reading = () =>
    findShipment(shipmentReader(dependencies, { endsWithCancellation: false }), shipmentUid);
  try {
    const listed = await persistently(reading, persistence);
    const isStock = statesOfStock.some((stateCode) => stateCode === listed?.stateCode);
    if (!listed || !isStock || listed.referenceCaseNo !== by) return;
    // interface: SetShipmentDetails takes no null for the two numbers.
    const details = {
      description: listed.description,
      referenceNo: listed.referenceNo ?? '',
      referenceCaseNo: former ?? '',
    };
    const request = { shipmentUid, ...details };
    await persistently(() => callOperation(dependencies.api, 'SetShipmentDetails', request), persistence);
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    if (error.retryable || error.mayHaveReachedService === 'unknown') throw error;
    log.warn('a stock shipment could not get its case number back', { shipmentUid, reason: error.message });
  }
}

/** Null if the service has no listing, or reading it fails: the listing only adds detail to the result. */
async function readListing(
  dependencies: ActivityDependencies,
  shipmentUid: string,
): Promise<ListedShipment | null> {
  if (!dependencies.serviceProfile.capabilities.has('getShipments')) return null;
  try {
    return await findShipment(shipmentReader(dependencies, { endsWithCancellation: false }), shipmentUid);
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    log.info('the listing did not tell how a shipment ended', { shipmentUid, reason: error.message });
    return null;
  }
}
