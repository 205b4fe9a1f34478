// Applies the rules of contract/machines/ to events on a locked chain. Gives the steps that change_chain writes.

import {
  applyToChain,
  type ChainEvent,
  type ChainOutcome,
  type Change,
  type LockerEffect,
} from '../../contract/machines/chain.ts';
import { shipmentOf } from '../../contract/machines/chain-shipments.ts';
import { isActive } from '../../contract/machines/chart.ts';
import { explain } from '../../contract/machines/refusal-rules.ts';
import { ApiError } from '../api-error.ts';
import type { Context } from '../handler.ts';
import { type LockedChain, storedShipmentOf } from './lock-chain.ts';
import { type Details, type PlannedShipment, shipmentRow } from './planned-shipment.ts';

export type AccessGoal = 'DropOff' | 'PickUp';
/** What an opening of OpenLocker is for: neither of them. */
export const LOOK = 'Look';

/** The events of the rules; a booking has all the data that is stored with the shipment. */
export type PlannedEvent =
  | Exclude<ChainEvent, { type: 'Booked' }>
  | (Omit<Extract<ChainEvent, { type: 'Booked' }>, 'shipments'> & { shipments: readonly PlannedShipment[] });

/** A change of a shipment that the rules do not know. */
export interface Edit {
  readonly shipmentUid: string;
  readonly details?: Partial<Details>;
  /** The keys are names of the table's columns. */
  readonly addObject?: object;
  readonly removeObject?: string;
}

export interface ChainSteps {
  readonly steps: readonly object[];
  readonly locker: LockerEffect;
  /** Whether the change records an event for callbacks. */
  readonly isNotified: boolean;
}

/** Applies all events, or none: if a rule refuses one, it throws InvalidShipmentState with the rule's message. */
export function chainSteps(
  locked: LockedChain,
  events: readonly PlannedEvent[],
  edits: readonly Edit[],
  { dispatcherUserUid, switches }: Pick<Context, 'dispatcherUserUid' | 'switches'>,
): ChainSteps {
  const outcome = applyToChain(locked.shipments, ...events);
  if (!outcome.applied) throw new ApiError('InvalidShipmentState', explain(outcome.refusal));
  const planned = events.flatMap((event) => (event.type === 'Booked' ? event.shipments : []));
  const changes = outcome.changes.map((change) =>
    change.from === null
      ? { booked: bookedRow(outcome, planned, change, dispatcherUserUid) }
      : changedColumns(locked, change, dispatcherUserUid),
  );
  const accesses = pickUpsInPlace(events, outcome).map((shipmentUid) => ({
    shipment_id: storedShipmentOf(locked, shipmentUid).shipmentId,
    // A step without it only sets when something last happened to the shipment.
    ...(switches.accessMessages && { access_goal: 'PickUp' satisfies AccessGoal }),
  }));
  return {
    // Edits first: the events of the changes include them.
    steps: [...edits.map((edit) => editedColumns(locked, edit)), ...changes, ...accesses],
    locker: outcome.locker,
    isNotified:
      accesses.length > 0 ||
      outcome.changes.some(({ from, stateCodeChanged }) => from !== null && stateCodeChanged),
  };
}

/** The shipments that were picked up and stay as they are, because they are kept booked. */
function pickUpsInPlace(
  events: readonly PlannedEvent[],
  { changes }: Extract<ChainOutcome, { applied: true }>,
): string[] {
  const pickedUp = events.flatMap((event) => (event.type === 'ItemPickedUp' ? [event.shipmentUid] : []));
  return pickedUp.filter((uid) => !changes.some((each) => each.shipmentUid === uid && each.stateCodeChanged));
}

function bookedRow(
  { chain }: Extract<ChainOutcome, { applied: true }>,
  planned: readonly PlannedShipment[],
  change: Change,
  dispatcherUserUid: string,
): object {
  const shipment = planned.find(({ shipmentUid }) => shipmentUid === change.shipmentUid);
  if (!shipment) throw new TypeError(`${change.shipmentUid} is booked without a plan of it`);
  const { fromUserUid, toUserUid, isStock } = shipmentOf(chain, change.shipmentUid);
  return shipmentRow(
    { ...shipment, fromUserUid: fromUserUid ?? dispatcherUserUid, toUserUid, isStock },
    change,
  );
}

function changedColumns(locked: LockedChain, change: Change, dispatcherUserUid: string): object {
  const { shipmentId } = storedShipmentOf(locked, change.shipmentUid);
  return {
    shipment_id: shipmentId,
    ...(change.stateCodeChanged && { state_code: change.to }),
    ...('toUserUid' in change && { to_user_uid: change.toUserUid ?? null }),
    // A sender that follows a predecessor without a receiver is the dispatcher's main account.
    ...('fromUserUid' in change && { from_user_uid: change.fromUserUid ?? dispatcherUserUid }),
    ...(change.pickUpCode && { pick_up_code: change.pickUpCode }),
    ...(change.deliveryCode && { delivery_code: change.deliveryCode }),
    ...(!isActive(change.to) && { pick_up_code: null, delivery_code: null }),
  };
}

function editedColumns(
  locked: LockedChain,
  { shipmentUid, details = {}, addObject, removeObject }: Edit,
): object {
  const { referenceNo, referenceCaseNo, description } = details;
  return {
    shipment_id: storedShipmentOf(locked, shipmentUid).shipmentId,
    // JSON leaves out undefined fields; null is a value.
    reference_no: referenceNo,
    reference_case_no: referenceCaseNo,
    description,
    add_object: addObject,
    remove_object: removeObject,
  };
}
