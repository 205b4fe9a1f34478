// Operators install the lockers of pick up points, with their sizes.
import { sql, type Transaction, type UpdateObject } from 'kysely';
import { type Box, formatSides, sidesOf } from '../sides.ts';
import type { Database } from '../storage/database.ts';
import { violatedIndex } from '../storage/transaction.ts';
import { ownPickUpPointId } from './pick-up-points.ts';
import { NotFound } from './tenants.ts';

interface NewLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
}

/** Lockers of one size; the box is their inside, in centimeters. */
export interface NewLockerSize extends Box {
  readonly size: string;
  readonly lockers: readonly NewLocker[];
}

/** Installs the lockers that are missing; existing ones do not change. */
export async function ensureLockers(
  transaction: Transaction<Database>,
  tenantId: number,
  pupUid: string,
  sizes: readonly NewLockerSize[],
): Promise<void> {
  const pickUpPointId = await ownPickUpPointId(transaction, tenantId, pupUid);
  for (const { size, lockers, ...box } of sizes) {
    const sizeId = await ensureSize(transaction, pickUpPointId, size, box);
    if (lockers.length === 0) continue;
    const rows = lockers.map(({ lockerUid, lockerName }) => ({
      locker_uid: lockerUid,
      locker_name: lockerName,
      tenant_id: tenantId,
      pick_up_point_id: pickUpPointId,
      locker_size_id: sizeId,
    }));
    await transaction
      .insertInto('lockers')
      .values(rows)
      .onConflict((conflict) => conflict.column('locker_uid').doNothing())
      .execute();
  }
}

/** Like ensureLockers, but throws if another locker has the same name or uid: the operator mistyped. */
export async function installLockers(
  transaction: Transaction<Database>,
  tenantId: number,
  pupUid: string,
  installed: NewLockerSize,
): Promise<void> {
  const { size, lockers } = installed;
  try {
    await ensureLockers(transaction, tenantId, pupUid, [installed]);
  } catch (error) {
    if (violatedIndex(error) === undefined) throw error;
    throw new Error(
      `One of these names is taken by another locker of ${pupUid}: choose others (locker list shows them)`,
      {
        cause: error,
      },
    );
  }
  const present = await lockersOf(transaction, tenantId, pupUid);
  const asGiven = new Map(present.map((locker) => [locker.lockerUid, locker]));
  for (const { lockerUid, lockerName } of lockers) {
    const locker = asGiven.get(lockerUid);
    if (locker?.lockerName !== lockerName || locker.size !== size)
      throw new Error(
        `The locker ${lockerUid} exists already, with another name, size or pick up point: choose another uid (locker list shows them)`,
      );
  }
  const [first] = present.filter((locker) => locker.size === size);
  const inside = sidesOf(installed);
  if (first && formatSides(first) !== formatSides(inside))
    throw new Error(
      `The lockers of size ${size} of ${pupUid} are ${formatSides(first)} inside, not ${formatSides(inside)}: give their measures, or another size`,
    );
}

/** Every locker of a pick up point, and whether and why it cannot be booked. */
export async function lockersOf(transaction: Transaction<Database>, tenantId: number, pupUid: string) {
  return transaction
    .selectFrom('lockers as locker')
    .innerJoin('locker_sizes as size', 'size.locker_size_id', 'locker.locker_size_id')
    .where('locker.pick_up_point_id', '=', await ownPickUpPointId(transaction, tenantId, pupUid))
    .orderBy('locker.locker_id')
    .select([
      'locker.locker_uid as lockerUid',
      'locker.locker_name as lockerName',
      'size.size',
      'size.small_side as smallSide',
      'size.middle_side as middleSide',
      'size.large_side as largeSide',
      'locker.out_of_order as outOfOrder',
      'locker.to_be_emptied as toBeEmptied',
      sql<boolean>`locker.chain_id is not null`.as('booked'),
    ])
    .execute();
}

async function ensureSize(
  transaction: Transaction<Database>,
  pickUpPointId: number,
  size: string,
  box: Box,
): Promise<number> {
  const { smallSide, middleSide, largeSide } = sidesOf(box);
  const sides = { small_side: smallSide, middle_side: middleSide, large_side: largeSide };
  const { locker_size_id } = await transaction
    .insertInto('locker_sizes')
    .values({ pick_up_point_id: pickUpPointId, size, ...sides })
    // An update without a change, for its RETURNING: it gives the stored box, so another box for the size is refused.
    .onConflict((conflict) =>
      conflict
        .columns(['pick_up_point_id', 'size'])
        .doUpdateSet((row) => ({ size: row.ref('excluded.size') })),
    )
    .returning('locker_size_id')
    .executeTakeFirstOrThrow();
  return locker_size_id;
}

/**
 * After the database was restored to an earlier point, an item may lie in a locker that it takes for free. What is held is to be
 * emptied: no booking gets it, until somebody has looked. Every locker of the tenant that was not to be emptied already, in
 * their order: also one that is booked, for its booking may end without anybody at its door.
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

/** Throws NotFound, and changes none, where one is not the tenant's. */
export async function changeLockers(
  transaction: Transaction<Database>,
  tenantId: number,
  lockerUids: readonly string[],
  change: UpdateObject<Database, 'lockers'>,
): Promise<void> {
  const changed = await transaction
    .updateTable('lockers')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('locker_uid', 'in', lockerUids)
    .returning('locker_uid')
    .execute();
  const unknown = lockerUids.filter((uid) => !changed.some(({ locker_uid }) => locker_uid === uid));
  if (unknown.length > 0) throw new NotFound(`The tenant has no locker ${unknown.join(', ')}`);
}
