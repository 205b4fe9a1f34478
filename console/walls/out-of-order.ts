// The lockers that no booking gets until they are in order again: how many there are, and who has taken one out, for which reason.
import pLimit from 'p-limit';
import { readTakenOut, type TakenOut } from '../../processes/inbox/out-of-order.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { everyItem, type Locker } from '../pages-of-service.ts';
import { ifKnown } from '../people.ts';

const PAGE_SIZE = 500;
const CALLS_AT_ONCE = 8;
// A page of a wall asks every two seconds, and who has taken one out stays the same for as long as it is out.
const TAKEN_OUT_MS = 10_000;

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

/** By lockerUid, as the audit log of the service has it. */
export async function takenOutAmong(
  { service, shared }: Pick<ConsoleParts, 'service' | 'shared'>,
  lockers: readonly Locker[],
): Promise<ReadonlyMap<string, TakenOut>> {
  const limit = pLimit(CALLS_AT_ONCE);
  const uids = lockers.flatMap(({ lockerUid, outOfOrder }) => (outOfOrder === true && lockerUid) || []);
  const found = uids.map((uid) =>
    limit(async (): Promise<(readonly [string, TakenOut])[]> => {
      const read = () => ifKnown(() => readTakenOut(service, uid));
      const takenOut = await shared.of(`who has taken out ${uid}`, TAKEN_OUT_MS, read);
      return takenOut ? [[uid, takenOut]] : [];
    }),
  );
  return new Map((await Promise.all(found)).flat());
}
