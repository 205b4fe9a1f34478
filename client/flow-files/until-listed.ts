// Temporal's lists are some moments behind what it has just taken, with Elasticsearch a second.
import { setTimeout as delay } from 'node:timers/promises';

const LISTED_WITHIN_MS = 10_000;

/** Waits until none is missing. What the list still lacks after ten seconds is there all the same. */
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
