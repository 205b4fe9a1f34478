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
  const ids = new Map<string, number>();
  for (const uid of [pupUid, ...overflowPupUids])
    ids.set(uid, await ownPickUpPointId(transaction, tenantId, uid));
  const pickUpPointId = idOf(ids, pupUid);
  await transaction
    .deleteFrom('overflow_pick_up_points')
    .where('pick_up_point_id', '=', pickUpPointId)
    .execute();
  if (overflowPupUids.length === 0) return;
  await transaction
    .insertInto('overflow_pick_up_points')
    .values(
      overflowPupUids.map((uid, index) => ({
        tenant_id: tenantId,
        pick_up_point_id: pickUpPointId,
        overflow_pick_up_point_id: idOf(ids, uid),
        position: index + 1,
      })),
    )
    .execute();
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

function idOf(ids: ReadonlyMap<string, number>, uid: string): number {
  const id = ids.get(uid);
  if (id === undefined) throw new TypeError(`The pick up point ${uid} was not looked up`);
  return id;
}
