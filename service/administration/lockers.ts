// The lockers of pick up points and their sizes, as those who run the service install them.
import type { Transaction } from 'kysely';
import { type Box, sidesOf } from '../lockers/sides.ts';
import type { Database } from '../storage/database.ts';
import { ownPickUpPointId } from './pick-up-points.ts';

export interface NewLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
}

/** Lockers of one size; the box is their inside, in centimeters. */
export interface NewLockerSize extends Box {
  readonly size: string;
  readonly lockers: readonly NewLocker[];
}

/** Installs what is not there yet; lockers that are there stay as they are. */
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
    // An update that changes nothing, for its RETURNING: another box for a size in use is refused by it being kept.
    .onConflict((conflict) =>
      conflict
        .columns(['pick_up_point_id', 'size'])
        .doUpdateSet((row) => ({ size: row.ref('excluded.size') })),
    )
    .returning('locker_size_id')
    .executeTakeFirstOrThrow();
  return locker_size_id;
}
