// Tries a step again until it works, for as long as a cluster may take to find itself.
import { setTimeout as delay } from 'node:timers/promises';

const WITHIN_MS = 60_000;
const AGAIN_MS = 200;

export async function untilDone<Result>(step: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(AGAIN_MS);
    }
  }
}
