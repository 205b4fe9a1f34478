// The pick up point that an account operation names; the calling tenant must manage it.
import type { Kysely } from 'kysely';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';

/** An unknown pick up point and another tenant's get the same answer (assumptions: The wire). */
export async function ownPickUpPointId(
  database: Kysely<Database>,
  tenantId: number,
  pupUid: string,
): Promise<number> {
  const row = await database
    .selectFrom('pick_up_points')
    .select('pick_up_point_id')
    .where('pup_uid', '=', pupUid)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!row) throw new Refusal('InvalidPupUid', 'You manage no pick up point with this uid');
  return row.pick_up_point_id;
}
