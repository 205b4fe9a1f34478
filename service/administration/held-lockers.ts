// Lockers that hold what the database does not know: after it was restored to an earlier point, an item may lie in a locker
// that it takes for free. What is held here is to be emptied: no booking gets it, until somebody has looked.
import { sql, type Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';
import { NotFound } from './not-found.ts';

/**
 * Every locker of the tenant that was not to be emptied already, in their order: also one that is booked, for its
 * booking may end without anybody at its door.
 */
export async function holdLockers(transaction: Transaction<Database>, tenantId: number): Promise<string[]> {
  const held = await transaction
    .updateTable('lockers')
    // Whose item lies there is not known.
    .set({ to_be_emptied: true, left_shipment_id: null })
    .where('tenant_id', '=', tenantId)
    .where('to_be_emptied', '=', false)
    .returning('locker_uid')
    .execute();
  return held
    .map(({ locker_uid }) => locker_uid)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

/** An item lies in each of these lockers. Throws NotFound, and changes none, where one is not the tenant's. */
export async function markItemLeft(
  transaction: Transaction<Database>,
  tenantId: number,
  lockerUids: readonly string[],
): Promise<void> {
  await setToBeEmptied(transaction, tenantId, lockerUids, true);
}

/** Nothing lies in any of these lockers. As markItemLeft. */
export async function releaseLockers(
  transaction: Transaction<Database>,
  tenantId: number,
  lockerUids: readonly string[],
): Promise<void> {
  await setToBeEmptied(transaction, tenantId, lockerUids, false);
}

async function setToBeEmptied(
  transaction: Transaction<Database>,
  tenantId: number,
  lockerUids: readonly string[],
  toBeEmptied: boolean,
): Promise<void> {
  const wanted = [...new Set(lockerUids)];
  const { rows } = await sql<{ locker_uid: string }>`
    update lockers set to_be_emptied = ${toBeEmptied},
      left_shipment_id = case when to_be_emptied and ${toBeEmptied} then left_shipment_id end
    where tenant_id = ${tenantId} and locker_uid = any (${wanted}) returning locker_uid
  `.execute(transaction);
  const known = new Set(rows.map(({ locker_uid }) => locker_uid));
  const unknown = wanted.filter((uid) => !known.has(uid));
  if (unknown.length > 0) throw new NotFound(`The tenant has no locker ${unknown.join(', ')}`);
}
