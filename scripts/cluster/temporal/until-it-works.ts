// Tries a step again until it works, for as long as a server may take to start, or a cluster to find itself.
import { setTimeout as delay } from 'node:timers/promises';

const USUAL_MS = 60_000;
const AGAIN_MS = 50;

interface Patience {
  readonly withinMs?: number;
  /** Aborted: nobody waits any more. */
  readonly giveUp?: AbortSignal | undefined;
}

export async function untilDone<Result>(
  step: () => Promise<Result>,
  { withinMs = USUAL_MS, giveUp }: Patience = {},
): Promise<Result> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (performance.now() > deadline || giveUp?.aborted) throw error;
      await delay(AGAIN_MS);
    }
  }
}
