// Operators make pick up points and set their overflow.
import type { Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';
import { NotFound } from './tenants.ts';

interface NewPickUpPoint {
  readonly pupUid: string;
  readonly name: string;
  readonly timeZone: string;
  readonly city: string | null;
  readonly countryCode: string | null;
}

/** Makes the pick up point, or changes the details of the tenant's existing one. */
export async function ensurePickUpPoint(
  transaction: Transaction<Database>,
  tenantId: number,
  { pupUid, name, timeZone, city, countryCode }: NewPickUpPoint,
): Promise<void> {
  const details = { name, time_zone: timeZone, city, country_code: countryCode };
  const own = await transaction
    .insertInto('pick_up_points')
    .values({ pup_uid: pupUid, tenant_id: tenantId, ...details })
    .onConflict((conflict) =>
      conflict.column('pup_uid').doUpdateSet(details).where('pick_up_points.tenant_id', '=', tenantId),
    )
    .returning('pick_up_point_id')
    .executeTakeFirst();
  if (!own) throw new Error(`The pick up point ${pupUid} belongs to another tenant: choose another uid`);
}

/** Replaces the overflow: the pick up points that take a booking if this one has no free locker, in this order. */
export async function setOverflow(
  transaction: Transaction<Database>,
  tenantId: number,
  pupUid: string,
  overflowPupUids: readonly string[],
): Promise<void> {
  if (overflowPupUids.includes(pupUid))
    throw new Error(`${pupUid} cannot be an overflow of itself: name other pick up points`);
  if (new Set(overflowPupUids).size < overflowPupUids.length)
    throw new Error(`An overflow pick up point of ${pupUid} is named twice: name each once`);
  const pickUpPointId = await ownPickUpPointId(transaction, tenantId, pupUid);
  const overflowIds: number[] = [];
  for (const uid of overflowPupUids) overflowIds.push(await ownPickUpPointId(transaction, tenantId, uid));
  await transaction
    .deleteFrom('overflow_pick_up_points')
    .where('pick_up_point_id', '=', pickUpPointId)
    .execute();
  const rows = overflowIds.map((overflowId, index) => ({
    tenant_id: tenantId,
    pick_up_point_id: pickUpPointId,
    overflow_pick_up_point_id: overflowId,
    position: index + 1,
  }));
  if (rows.length > 0) await transaction.insertInto('overflow_pick_up_points').values(rows).execute();
}

export async function ownPickUpPointId(
  transaction: Transaction<Database>,
  tenantId: number,
  pupUid: string,
): Promise<number> {
  const row = await transaction
    .selectFrom('pick_up_points')
    .select('pick_up_point_id')
    .where('pup_uid', '=', pupUid)
    .where('tenant_id', '=', tenantId)
    // Two changes of one pick up point's overflow take turns.
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFound(`The tenant has no pick up point ${pupUid}`);
  return row.pick_up_point_id;
}
