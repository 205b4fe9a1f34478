// The one way in which a locker is taken out of order, put in order again, or said to be emptied: for the operations, the
// operator's commands and the walls. The updates wait for a change of the chain that holds the locker.
import { type Kysely, sql } from 'kysely';
import type { Handlers } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';

/** assumptions: Operating: what an operator's software says of a locker. */
export const lockerChanges = {
  SetLockerOutOfOrder: (request, context) =>
    answerOnce(context, request, async (transaction) => {
      const { lockerUid, outOfOrder } = request;
      const { lockerId } = await requireLocker(transaction, context.tenantId, lockerUid);
      return { lockerUid, outOfOrder, changed: await setLockerOutOfOrder(transaction, lockerId, outOfOrder) };
    }),

  SetLockerEmptied: (request, context) =>
    answerOnce(context, request, async (transaction) => {
      const { lockerUid } = request;
      const { lockerId } = await requireLocker(transaction, context.tenantId, lockerUid);
      return { lockerUid, changed: await setLockerEmptied(transaction, lockerId) };
    }),
} satisfies Partial<Handlers>;

export interface OwnLocker {
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly pupUid: string;
}

/** Throws InvalidLockerUid for an unknown locker, and for another tenant's. */
async function requireLocker(
  database: Kysely<Database>,
  tenantId: number,
  lockerUid: string,
): Promise<OwnLocker> {
  const locker = await ownLockers(database, tenantId)
    .where('locker.locker_uid', '=', lockerUid)
    .executeTakeFirst();
  if (!locker) throw new Refusal('InvalidLockerUid', `There is no locker ${lockerUid}`);
  return locker;
}

/** By its uid, or by its pick up point and name, like pup-central/7: as commands print it. */
export const ownLockerNamed = (
  database: Kysely<Database>,
  tenantId: number,
  named: string,
): Promise<OwnLocker | undefined> =>
  ownLockers(database, tenantId)
    .where(
      sql<boolean>`(locker.locker_uid = ${named} or pup.pup_uid || '/' || locker.locker_name = ${named})`,
    )
    // A uid may have the form of another locker's name; then the uid counts.
    .orderBy(sql`locker.locker_uid = ${named}`, 'desc')
    .limit(1)
    .executeTakeFirst();

const ownLockers = (database: Kysely<Database>, tenantId: number) =>
  database
    .selectFrom('lockers as locker')
    .innerJoin('pick_up_points as pup', 'pup.pick_up_point_id', 'locker.pick_up_point_id')
    .select([
      'locker.locker_id as lockerId',
      'locker.locker_uid as lockerUid',
      'locker.locker_name as lockerName',
      'pup.pup_uid as pupUid',
    ])
    .where('locker.tenant_id', '=', tenantId);

/** Gives whether this call changed it. A shipment that has the locker keeps it. */
export async function setLockerOutOfOrder(
  transaction: Kysely<Database>,
  lockerId: number,
  outOfOrder: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('lockers')
    .set({ out_of_order: outOfOrder })
    .where('locker_id', '=', lockerId)
    .where('out_of_order', '=', !outOfOrder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A person took out the item that was left behind (assumptions: Lockers and codes). Gives whether it was to be emptied. */
export async function setLockerEmptied(transaction: Kysely<Database>, lockerId: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('lockers')
    .set({ to_be_emptied: false, left_shipment_id: null })
    .where('locker_id', '=', lockerId)
    .where('to_be_emptied', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
