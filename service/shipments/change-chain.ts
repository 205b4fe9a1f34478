// Applies events to a locked chain and writes what the rules make of them: states, users, codes, the locker and the
// outgoing events, all in the caller's transaction. What changes is decided in machines/ alone.
import { sql, type Transaction } from 'kysely';
import {
  applyToChain,
  type ChainEvent,
  type ChainOutcome,
  type Change,
  type LockerEffect,
} from '../../machines/chain.ts';
import { shipmentOf } from '../../machines/chain-shipments.ts';
import { isActive } from '../../machines/chart.ts';
import { explain } from '../../machines/rules.ts';
import type { Context } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { activeStateCodes } from '../storage/active-state-codes.ts';
import type { Database } from '../storage/database.ts';
import { type ChainLocker, type LockedChain, storedShipmentOf } from './locked-chain.ts';
import { type PlannedShipment, shipmentRow } from './planned-shipment.ts';

/** The events of the rules; a shipment that is booked comes with all that is kept with it. */
export type PlannedEvent =
  | Exclude<ChainEvent, { type: 'Booked' }>
  | (Omit<Extract<ChainEvent, { type: 'Booked' }>, 'shipments'> & { shipments: readonly PlannedShipment[] });

/** All events or, when one is refused, nothing: throws InvalidShipmentState in the words of the rule. */
export async function changeChain(
  transaction: Transaction<Database>,
  context: Context,
  locked: LockedChain,
  ...events: readonly PlannedEvent[]
): Promise<void> {
  const outcome = applyToChain(locked.shipments, ...events);
  if (!outcome.applied) throw new Refusal('InvalidShipmentState', explain(outcome.refusal));
  const planned = events.flatMap((event) => (event.type === 'Booked' ? event.shipments : []));
  for (const change of outcome.changes) {
    // In the order of the rules: the predecessor ends before its successor has the locker (one_shipment_in_a_locker),
    // and the events of a chain are written in chain order (assumptions: Chains).
    if (change.from === null) await insert(transaction, context, locked, outcome, planned, change);
    else await update(transaction, context, locked, change);
  }
  await releaseCodes(transaction, locked);
  await takeLockerEffect(transaction, locked.locker, outcome.locker);
  const isTold = ({ from, stateCodeChanged }: Change) =>
    from === null ? context.switches.callbackOnCreation : stateCodeChanged;
  if (outcome.changes.some(isTold)) context.dueCallbacks.announceAfter(transaction);
}

type AppliedOutcome = Extract<ChainOutcome, { applied: true }>;

async function insert(
  transaction: Transaction<Database>,
  { dispatcherUserUid, switches }: Context,
  { locker, now }: LockedChain,
  { chain }: AppliedOutcome,
  planned: readonly PlannedShipment[],
  change: Change,
): Promise<void> {
  const shipment = planned.find(({ shipmentUid }) => shipmentUid === change.shipmentUid);
  if (!shipment) throw new TypeError(`${change.shipmentUid} is booked without a plan of it`);
  const { fromUserUid, toUserUid } = shipmentOf(chain, change.shipmentUid);
  const row = shipmentRow({ ...shipment, fromUserUid: fromUserUid ?? dispatcherUserUid, toUserUid }, change);
  await sql`
    select insert_shipments(${locker.lockerId}, ${locker.requestedPickUpPointId}, ${now},
      ${JSON.stringify([row])}, ${switches.callbackOnCreation})
  `.execute(transaction);
}

async function update(
  transaction: Transaction<Database>,
  { dispatcherUserUid }: Context,
  locked: LockedChain,
  change: Change,
): Promise<void> {
  const { now, locker } = locked;
  const { shipmentId, predecessor } = storedShipmentOf(locked, change.shipmentUid);
  const accountId = (userUid: string | null) =>
    sql<number | null>`(select account_id from accounts where user_uid = ${userUid})`;
  const newCode = sql<string>`new_access_code(${locker.pickUpPointId}, ${locker.lockerId})`;
  const sharedCode = sql<string>`(
    select pick_up_code from shipments where shipment_uid = ${predecessor?.shipmentUid ?? null})`;
  const ended = !isActive(change.to);
  await transaction
    .updateTable('shipments')
    .set({
      updated_at: now,
      ...(change.stateCodeChanged && { state_code: change.to, state_start: now }),
      ...('toUserUid' in change && { to_account_id: accountId(change.toUserUid ?? null) }),
      ...('fromUserUid' in change && {
        // A sender that follows a predecessor without a receiver is the dispatcher's main account.
        from_account_id: accountId(change.fromUserUid ?? dispatcherUserUid),
      }),
      ...(change.pickUpCode && { pick_up_code: newCode }),
      ...(change.deliveryCode && { delivery_code: change.deliveryCode === 'new' ? newCode : sharedCode }),
      ...(ended && { pick_up_code: null, delivery_code: null }),
    })
    .where('shipment_id', '=', shipmentId)
    .execute();
  if (change.stateCodeChanged)
    await sql`select record_events(array[${shipmentId}]::bigint[])`.execute(transaction);
}

/** Codes that no shipment of the chain has any more are free again at the pick up point. */
async function releaseCodes(
  transaction: Transaction<Database>,
  { locker, shipments }: LockedChain,
): Promise<void> {
  const former = shipments.flatMap(({ pickUpCode, deliveryCode }) =>
    [pickUpCode, deliveryCode].filter((code) => code !== null),
  );
  await sql`
    delete from access_codes as former
    where pick_up_point_id = ${locker.pickUpPointId} and code = any(${former})
      and not exists (
        select from shipments
        where locker_id = ${locker.lockerId} and state_code in (${activeStateCodes})
          and former.code in (pick_up_code, delivery_code))
  `.execute(transaction);
}

async function takeLockerEffect(
  transaction: Transaction<Database>,
  { lockerId }: ChainLocker,
  effect: LockerEffect,
): Promise<void> {
  if (effect !== 'Released' && effect !== 'ToBeEmptied') return;
  await transaction
    .updateTable('lockers')
    .set({ chain_id: null, to_be_emptied: effect === 'ToBeEmptied' })
    .where('locker_id', '=', lockerId)
    .execute();
}
