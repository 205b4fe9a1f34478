// Pick up points and lockers of a test's own, beside those of the demo data.

import type { Kysely } from 'kysely';
import { ensureLockers } from '../../service/administration/lockers.ts';
import { ensurePickUpPoint } from '../../service/administration/pick-up-points.ts';
import { tenantIdOf } from '../../service/administration/tenants.ts';
import type { Database } from '../../service/storage/database.ts';
import { inTransaction } from '../../service/storage/transaction.ts';

/** How many lockers of each size; they are named from 1 on. */
export type Wall = Readonly<Partial<Record<keyof typeof insides, number>>>;

/** In centimeters. No size is a smaller version of another: what fits in which is not a matter of volume alone. */
export const insides = {
  S: { width: 40, height: 12, length: 60 },
  M: { width: 40, height: 25, length: 60 },
  long: { width: 20, height: 20, length: 180 },
  L: { width: 40, height: 50, length: 60 },
} as const;

export async function addPickUpPoint(
  database: Kysely<Database>,
  tenantUid: string,
  pupUid: string,
  wall: Wall,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const tenantId = await tenantIdOf(transaction, tenantUid);
    const place = { pupUid, name: pupUid, timeZone: 'Europe/Amsterdam', city: null, countryCode: 'NL' };
    await ensurePickUpPoint(transaction, tenantId, place);
    let last = 0;
    const sizes = (Object.keys(insides) as (keyof typeof insides)[]).map((size) => ({
      size,
      ...insides[size],
      lockers: Array.from({ length: wall[size] ?? 0 }, () => {
        last += 1;
        return { lockerUid: `${pupUid}-${last}`, lockerName: String(last) };
      }),
    }));
    await ensureLockers(
      transaction,
      tenantId,
      pupUid,
      sizes.filter(({ lockers }) => lockers.length > 0),
    );
  });
}
