// What a person does at the wall: types an access code at a pick up point. The inbound door of the locker hardware;
// SimulateLockerAccess comes in here too. Which code opens in which state is the rules' word.
import { sql, type Transaction } from 'kysely';
import { eventOfCode } from '../../machines/access.ts';
import type { Context } from '../handler.ts';
import type { OpenDoor } from '../hardware/doors.ts';
import { Refusal } from '../refusal.ts';
import { changeChain } from '../shipments/change-chain.ts';
import { type LockedChain, lockChainOf } from '../shipments/locked-chain.ts';
import { activeStateCodes } from '../storage/active-state-codes.ts';
import type { Database } from '../storage/database.ts';
import { emptied } from './emptied.ts';

export interface Access {
  readonly pickUpPointId: number;
  readonly code: string;
  /** Where the person stands, if known: a code that is another locker's does not open then. */
  readonly lockerId?: number;
}

/** Opens the locker and advances its shipment; throws InvalidAccessCode for a code that opens nothing now. */
export async function accessLocker(
  transaction: Transaction<Database>,
  context: Context,
  access: Access,
  openDoor: OpenDoor,
): Promise<void> {
  const shipmentUid = await shipmentWithCode(transaction, access);
  if (shipmentUid === undefined) throw wrongCode();
  const locked = await lockChainOf(transaction, context, shipmentUid);
  // The lock may have taken its time: only what the chain says now counts.
  const event = openedBy(locked, access.code);
  if (!event) throw wrongCode();
  await changeChain(transaction, context, locked, event);
  if (event.type === 'ItemPickedUp') await emptied(transaction, locked.locker.lockerId);
  await openDoor(locked.locker);
}

const wrongCode = () => new Refusal('InvalidAccessCode', 'The access code is wrong or opens nothing now');

async function shipmentWithCode(
  transaction: Transaction<Database>,
  { pickUpPointId, code, lockerId }: Access,
): Promise<string | undefined> {
  const { rows } = await sql<{ shipmentUid: string }>`
    select shipment.shipment_uid as "shipmentUid"
    from access_codes access
    join shipments shipment on shipment.locker_id = access.locker_id
      and shipment.state_code in (${activeStateCodes})
      and access.code in (shipment.pick_up_code, shipment.delivery_code)
    where access.pick_up_point_id = ${pickUpPointId} and access.code = ${code}
      and access.locker_id = coalesce(${lockerId ?? null}::bigint, access.locker_id)
    limit 1
  `.execute(transaction);
  return rows[0]?.shipmentUid;
}

function openedBy(
  { shipments }: LockedChain,
  code: string,
): { type: 'ItemDroppedOff' | 'ItemPickedUp'; shipmentUid: string } | undefined {
  for (const { shipmentUid, stateCode, pickUpCode, deliveryCode } of shipments) {
    const type =
      (code === pickUpCode && eventOfCode(stateCode, 'pickUpCode')) ||
      (code === deliveryCode && eventOfCode(stateCode, 'deliveryCode'));
    if (type) return { type, shipmentUid };
  }
  return undefined;
}
