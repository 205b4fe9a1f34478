// Counts the lockers that are out of order.
import type { ConsoleParts } from '../console-parts.ts';
import { everyItem } from '../pages-of-service.ts';
import { ifKnown } from '../people.ts';

const PAGE_SIZE = 500;

type Parts = Pick<ConsoleParts, 'service'>;

/** By pupUid; none at a service that does not list them. */
export async function outOfOrderCounts({ service }: Parts): Promise<ReadonlyMap<string, number>> {
  const read = () =>
    everyItem((pageNo) => service.call('GetLockers', { pageNo, pageSize: PAGE_SIZE, outOfOrder: true }));
  const counts = new Map<string, number>();
  // A service that does not know the filter lists the others, too.
  for (const { pupUid, outOfOrder } of (await ifKnown(read)) ?? [])
    if (outOfOrder === true && pupUid !== null) counts.set(pupUid, (counts.get(pupUid) ?? 0) + 1);
  return counts;
}
