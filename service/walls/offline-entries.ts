// The offline lists of walls: which lockers a wall may open without a connection, each with the hash of the code it accepts.
// Entries are stored, to recognize openings that are reported later; so are the hashes, which are slow to compute.
import { type Kysely, sql, type Transaction } from 'kysely';
import { MAX_OFFLINE_ENTRIES, type OfflineList, type StateCode } from '../../contract/index.ts';
import { type AccessEvent, eventOfCode } from '../../contract/machines/access.ts';
import type { Database } from '../storage/database.ts';
import { newUid } from '../uid.ts';

export interface OfflineAccess {
  readonly pickUpPointId: number;
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly shipmentUid: string;
  readonly eventType: AccessEvent;
  readonly code: string;
  /** The code stays valid after the access. */
  readonly isKept: boolean;
  /** The salt of `codeHash`. Null: no hash is stored. */
  readonly salt: string | null;
  readonly codeHash: string | null;
}

interface Row extends Omit<OfflineAccess, 'eventType' | 'code'> {
  readonly stateCode: StateCode;
  readonly deliveryCode: string | null;
  readonly pickUpCode: string | null;
}

/** The accesses at these pick up points, in the order of the shipments. */
export async function offlineAccesses(
  database: Kysely<Database>,
  pickUpPointIds: readonly number[],
): Promise<OfflineAccess[]> {
  const { rows } = await sql<Row>`
    select locker.pick_up_point_id as "pickUpPointId", locker.locker_id as "lockerId",
      locker.locker_uid as "lockerUid", shipment.shipment_uid as "shipmentUid",
      shipment.keep_booked_after_pick_up as "isKept", shipment.state_code as "stateCode",
      shipment.delivery_code as "deliveryCode", shipment.pick_up_code as "pickUpCode",
      code.offline_salt as "salt", code.offline_hash as "codeHash"
    from lockers as locker
    join shipments as shipment on shipment.locker_id = locker.locker_id
      and shipment.state_code in ('ReadyForDropoff', 'ReadyForPickup')
    left join access_codes as code on code.pick_up_point_id = locker.pick_up_point_id and code.code =
      case shipment.state_code when 'ReadyForDropoff' then shipment.delivery_code else shipment.pick_up_code end
    where locker.pick_up_point_id = any(${pickUpPointIds}::bigint[]) and locker.chain_id is not null
    order by locker.pick_up_point_id, shipment.shipment_id
  `.execute(database);
  return rows.flatMap(({ stateCode, deliveryCode, pickUpCode, ...row }) => {
    const codes = { deliveryCode, pickUpCode };
    return (['deliveryCode', 'pickUpCode'] as const).flatMap((name) => {
      const eventType = eventOfCode(stateCode, name);
      const code = codes[name];
      return eventType && code !== null ? [{ ...row, eventType, code }] : [];
    });
  });
}

/** The salt of a wall's lists. Replaced when it is older than the lifetime of a list. */
export async function offlineSalt(
  database: Kysely<Database>,
  pickUpPointId: number,
  hours: number,
  newSalt: string,
): Promise<string> {
  const { rows } = await sql<{ salt: string }>`
    update walls set
      offline_salt = case when is_fresh then offline_salt else ${newSalt} end,
      offline_salt_at = case when is_fresh then offline_salt_at else clock_timestamp() end
    from (
      select pick_up_point_id, coalesce(offline_salt_at > clock_timestamp() - make_interval(hours => ${hours}), false)
        as is_fresh
      from walls where pick_up_point_id = ${pickUpPointId} for update
    ) as former
    where walls.pick_up_point_id = former.pick_up_point_id
    returning offline_salt as salt
  `.execute(database);
  const [row] = rows;
  if (!row) throw new TypeError(`the wall ${pickUpPointId} is not there, expected that of a connection`);
  return row.salt;
}

export async function storeCodeHash(
  database: Kysely<Database>,
  { pickUpPointId, code }: OfflineAccess,
  salt: string,
  codeHash: string,
): Promise<void> {
  await sql`
    update access_codes set offline_salt = ${salt}, offline_hash = ${codeHash}
    where pick_up_point_id = ${pickUpPointId} and code = ${code}
  `.execute(database);
}

/** Stores the entries of a list before it is sent: the latest ones, if there are too many. */
export async function listedEntries(
  database: Kysely<Database>,
  accesses: readonly (OfflineAccess & { readonly codeHash: string })[],
  expiresAt: Date,
): Promise<OfflineList['entries']> {
  const listed = accesses.slice(-MAX_OFFLINE_ENTRIES);
  const rows = listed.map(({ pickUpPointId, lockerId, shipmentUid, eventType }) => ({
    entry_id: newUid(),
    pick_up_point_id: pickUpPointId,
    locker_id: lockerId,
    shipment_uid: shipmentUid,
    event_type: eventType,
  }));
  const { rows: kept } = await sql<{ entryId: string; shipmentUid: string }>`
    insert into offline_entries as former
      (entry_id, pick_up_point_id, locker_id, shipment_uid, event_type, listed_until)
    select entry_id, pick_up_point_id, locker_id, shipment_uid, event_type, ${expiresAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as listed (
      entry_id text, pick_up_point_id bigint, locker_id bigint, shipment_uid text, event_type text)
    on conflict (pick_up_point_id, shipment_uid, event_type) do update
      set listed_until = greatest(former.listed_until, excluded.listed_until)
    returning entry_id as "entryId", shipment_uid as "shipmentUid"
  `.execute(database);
  // A shipment has at most one access at a time.
  const ids = new Map(kept.map(({ entryId, shipmentUid }) => [shipmentUid, entryId]));
  return listed.map(({ lockerUid, shipmentUid, eventType, codeHash, isKept }) => ({
    entryId: ids.get(shipmentUid) ?? '',
    lockerUid,
    goal: eventType === 'ItemDroppedOff' ? 'DropOff' : 'PickUp',
    codeHash,
    once: !isKept,
  }));
}

export interface KnownEntry {
  readonly shipmentUid: string;
  readonly eventType: AccessEvent;
}

/** The access that an entry allowed; undefined if the service never listed that entry for this door. */
export async function knownEntry(
  transaction: Transaction<Database>,
  { pickUpPointId, lockerId }: { readonly pickUpPointId: number; readonly lockerId: number },
  entryId: string,
): Promise<KnownEntry | undefined> {
  const { rows } = await sql<KnownEntry>`
    select shipment_uid as "shipmentUid", event_type as "eventType" from offline_entries
    where entry_id = ${entryId} and pick_up_point_id = ${pickUpPointId} and locker_id = ${lockerId}
  `.execute(transaction);
  return rows[0];
}
