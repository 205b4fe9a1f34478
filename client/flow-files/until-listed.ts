// Temporal's lists lag behind its writes by some milliseconds, with Elasticsearch by a second.
import { setTimeout as delay } from 'node:timers/promises';

const LISTED_WITHIN_MS = 10_000;

/** Waits until none is missing, for at most ten seconds: by then the writes have long taken effect. */
export async function untilListed<Item>(
  items: readonly Item[],
  stillMissing: (missing: readonly Item[]) => Promise<readonly Item[]>,
): Promise<void> {
  const endsAt = Date.now() + LISTED_WITHIN_MS;
  let missing = items;
  let wait = 20;
  while (missing.length > 0 && Date.now() < endsAt) {
    const still = await stillMissing(missing);
    if (still.length === missing.length) {
      await delay(wait);
      wait = Math.min(2 * wait, 500);
    }
    missing = still;
  }
}
