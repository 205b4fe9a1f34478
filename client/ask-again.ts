// A query that a worker has lost is asked again. The SDK's worker (1.24) loses one now and then where two come at the moment at which
// their workflow ends: one of some thirty such pairs. Whoever asked would wait in vain until its deadline.
import type { WorkflowClientInterceptor } from '@temporalio/client';

/** Longer than a worker takes that has the workflow in its memory. The pauses double: one that is busy gets few questions more. */
const FIRST_PAUSE_MS = 2_000;

export const askAgainInterceptor: WorkflowClientInterceptor = {
  async query(input, next) {
    let timer: NodeJS.Timeout | undefined;
    const again = new Promise<unknown>((answered, failed) => {
      const askAfter = (pauseMs: number) => {
        timer = setTimeout(() => {
          askAfter(2 * pauseMs);
          next(input).then(answered, failed);
        }, pauseMs);
      };
      askAfter(FIRST_PAUSE_MS);
    });
    try {
      return await Promise.race([next(input), again]);
    } finally {
      clearTimeout(timer);
    }
  },
};
