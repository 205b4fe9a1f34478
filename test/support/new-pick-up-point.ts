// Pick up points and lockers of a test's own, beside those of the demo data.

import type { Kysely } from 'kysely';
import { ensureLockers } from '../../service/administration/lockers.ts';
import { ensurePickUpPoint } from '../../service/administration/pick-up-points.ts';
import { tenantIdOf } from '../../service/administration/tenants.ts';
import type { Database } from '../../service/storage/database.ts';
import { inTransaction } from '../../service/storage/transaction.ts';

/** In centimeters. No size is a smaller version of every other: what fits in which is not a matter of volume alone. */
export const insides = {
  S: { width: 40, height: 12, length: 60 },
  M: { width: 40, height: 25, length: 60 },
  long: { width: 20, height: 20, length: 180 },
  L: { width: 40, height: 50, length: 60 },
} as const;

export type Size = keyof typeof insides;
const sizes = Object.keys(insides) as Size[];

export interface NewLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: Size;
}

/** Makes a pick up point with so many lockers of each size, like pup-1 for locker 1 of pup. */
export async function addPickUpPoint(
  database: Kysely<Database>,
  tenantUid: string,
  pupUid: string,
  counts: Readonly<Partial<Record<Size, number>>>,
  name = pupUid,
): Promise<NewLocker[]> {
  const lockers = sizes
    .flatMap((size) => Array<Size>(counts[size] ?? 0).fill(size))
    .map((size, index) => ({ lockerUid: `${pupUid}-${index + 1}`, lockerName: String(index + 1), size }));
  await inTransaction(database, async (transaction) => {
    const tenantId = await tenantIdOf(transaction, tenantUid);
    const place = { pupUid, name, timeZone: 'Europe/Amsterdam', city: null, countryCode: 'NL' };
    await ensurePickUpPoint(transaction, tenantId, place);
    const bySize = Map.groupBy(lockers, ({ size }) => size);
    const installed = [...bySize].map(([size, own]) => ({ size, ...insides[size], lockers: own }));
    await ensureLockers(transaction, tenantId, pupUid, installed);
  });
  return lockers;
}
