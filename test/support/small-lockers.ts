// More lockers at pup-central than its demo data has, for tests of many bookings at once.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../service/storage/database.ts';

/** With the eight of the demo data 100 small lockers; these are race-1 to race-92. */
export const addSmallLockers = (database: Kysely<Database>) =>
  sql`
    insert into lockers (locker_uid, locker_name, tenant_id, pick_up_point_id, locker_size_id)
    select 'race-' || n, 'race-' || n, pup.tenant_id, pup.pick_up_point_id, size.locker_size_id
    from pick_up_points as pup join locker_sizes as size using (pick_up_point_id), generate_series(1, 92) as n
    where pup.pup_uid = 'pup-central' and size.size = 'S'
  `.execute(database);
