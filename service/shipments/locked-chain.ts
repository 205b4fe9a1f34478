// A chain as it is stored, locked by its locker's row until the end of the transaction: from here on nobody else
// changes any of its shipments. Every change of a shipment goes through this lock, and takes no second one.
import { sql, type Transaction } from 'kysely';
import type { ChainShipment } from '../../machines/chain-shipments.ts';
import type { Context } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import type { Sides } from '../sides.ts';
import { activeStateCodes } from '../storage/active-state-codes.ts';
import type { Database } from '../storage/database.ts';
import type { Details, Room } from './planned-shipment.ts';

export interface StoredShipment extends ChainShipment {
  readonly shipmentId: number;
  readonly details: Details;
  readonly room: Room;
  readonly pickUpCode: string | null;
  readonly deliveryCode: string | null;
}

export interface ChainLocker {
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
  /** Its inner sides. */
  readonly inside: Sides;
  readonly toBeEmptied: boolean;
  readonly pickUpPointId: number;
  readonly pupUid: string;
  /** The pick up point that the chain's booking named; another than the actual one when it overflowed. */
  readonly requestedPickUpPointId: number;
  readonly requestedPupUid: string;
}

export interface LockedChain {
  readonly locker: ChainLocker;
  /** In chain order: those that are active, and the one that was asked for even when it has ended. */
  readonly shipments: readonly StoredShipment[];
  /** By the database's clock, after the lock was had: a later change of the chain has a later moment. */
  readonly now: Date;
}

/** Throws InvalidShipment for an unknown shipment and, in the same words, for another tenant's. */
export async function lockChainOf(
  transaction: Transaction<Database>,
  { tenantId }: Pick<Context, 'tenantId'>,
  shipmentUid: string,
): Promise<LockedChain> {
  const asked = await transaction
    .selectFrom('shipments as shipment')
    .innerJoin('lockers as locker', 'locker.locker_id', 'shipment.locker_id')
    .innerJoin('locker_sizes as size', 'size.locker_size_id', 'locker.locker_size_id')
    .innerJoin('pick_up_points as pup', 'pup.pick_up_point_id', 'locker.pick_up_point_id')
    .innerJoin(
      'pick_up_points as requested',
      'requested.pick_up_point_id',
      'shipment.requested_pick_up_point_id',
    )
    .select([
      'shipment.shipment_id as shipmentId',
      'shipment.chain_id as chainId',
      'requested.pick_up_point_id as requestedPickUpPointId',
      'requested.pup_uid as requestedPupUid',
      'size.small_side as smallSide',
      'size.middle_side as middleSide',
      'size.large_side as largeSide',
      'locker.locker_id as lockerId',
      'locker.locker_uid as lockerUid',
      'locker.locker_name as lockerName',
      'locker.to_be_emptied as toBeEmptied',
      'pup.pick_up_point_id as pickUpPointId',
      'pup.pup_uid as pupUid',
    ])
    .where('shipment.shipment_uid', '=', shipmentUid)
    .where('shipment.tenant_id', '=', tenantId)
    // Not FOR UPDATE: the simulated wall's doors refer to lockers, and are opened under this lock by another connection.
    .forNoKeyUpdate('locker')
    .executeTakeFirst();
  if (!asked) throw unknownShipment(shipmentUid);
  const { shipmentId, chainId, smallSide, middleSide, largeSide, ...locker } = asked;
  const inside = { smallSide, middleSide, largeSide };
  return loadChain(transaction, { ...locker, inside }, chainId, shipmentId);
}

export const unknownShipment = (shipmentUid: string) =>
  new Refusal('InvalidShipment', `There is no shipment ${shipmentUid}`);

async function loadChain(
  transaction: Transaction<Database>,
  locker: ChainLocker,
  chainId: number,
  shipmentId: number,
): Promise<LockedChain> {
  const rows = await transaction
    .selectFrom('shipments as shipment')
    .leftJoin('accounts as sender', 'sender.account_id', 'shipment.from_account_id')
    .leftJoin('accounts as receiver', 'receiver.account_id', 'shipment.to_account_id')
    .leftJoin('shipments as predecessor', 'predecessor.shipment_id', 'shipment.predecessor_id')
    .selectAll('shipment')
    .select([
      'sender.user_uid as from_user_uid',
      'receiver.user_uid as to_user_uid',
      'predecessor.shipment_uid as predecessor_uid',
      sql<Date>`moment()`.as('now'),
    ])
    .where(
      sql<boolean>`shipment.shipment_id in (
        select shipment_id from shipments
        where locker_id = ${locker.lockerId} and chain_id = ${chainId} and state_code in (${activeStateCodes})
        union select ${shipmentId}::bigint)`,
    )
    .orderBy('shipment.shipment_id')
    .execute();
  const [first] = rows;
  if (!first) throw new TypeError(`the chain of shipment ${shipmentId} is gone, expected it under its lock`);
  return { locker, shipments: rows.map(storedShipment), now: first.now };
}

type Row = Database['shipments'] extends infer Table
  ? { [Column in keyof Table]: Column extends 'shipment_id' ? number : Table[Column] } & {
      from_user_uid: string | null;
      to_user_uid: string | null;
      predecessor_uid: string | null;
    }
  : never;

function storedShipment(row: Row): StoredShipment {
  const predecessor =
    row.predecessor_uid === null || row.link === null
      ? null
      : { shipmentUid: row.predecessor_uid, link: row.link };
  return {
    shipmentId: row.shipment_id,
    shipmentUid: row.shipment_uid,
    shipmentType: row.shipment_type,
    stateCode: row.state_code,
    predecessor,
    fromUserUid: row.from_user_uid,
    toUserUid: row.to_user_uid,
    fromFollowsPredecessorReceiver: row.from_follows_predecessor_receiver,
    keepBookedAfterPickUp: row.keep_booked_after_pick_up,
    details: {
      referenceNo: row.reference_no,
      referenceCaseNo: row.reference_case_no,
      description: row.description,
    },
    room: {
      sides: { smallSide: row.small_side, middleSide: row.middle_side, largeSide: row.large_side },
      allowLargerLockers: row.allow_larger_lockers,
      allowOverflowLockers: row.allow_overflow_lockers,
    },
    pickUpCode: row.pick_up_code,
    deliveryCode: row.delivery_code,
  };
}

export function storedShipmentOf({ shipments }: LockedChain, shipmentUid: string): StoredShipment {
  const shipment = shipments.find((each) => each.shipmentUid === shipmentUid);
  if (!shipment)
    throw new TypeError(`the chain has no shipment ${shipmentUid}, expected one of its shipments`);
  return shipment;
}
