// Tries a step again until it works, for as long as a server may take to start, or a cluster to find itself.
import { setTimeout as delay } from 'node:timers/promises';

const WITHIN_MS = 60_000;
const AGAIN_MS = 50;

/** Rejects with the step's last error, or when `given` says that nobody waits any more. */
export async function untilDone<Result>(step: () => Promise<Result>, given?: AbortSignal): Promise<Result> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(AGAIN_MS, undefined, { signal: given });
    }
  }
}
