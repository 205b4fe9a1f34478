// How long to wait before the next try: twice as long after each failure, up to a longest wait.

export interface Backoff {
  readonly firstMs: number;
  readonly lastMs: number;
  /** The largest share of a wait that jitter removes: callers that failed together must not try again together. */
  readonly jitter?: number;
}

/** @param failures in a row, from 1. Jitter only shortens a wait, so no wait is longer than the longest. */
export function backoffMs(failures: number, { firstMs, lastMs, jitter = 0.2 }: Backoff): number {
  const longest = Math.min(firstMs * 2 ** (failures - 1), lastMs);
  // A workflow waits without jitter: it must not draw a random number, because its replay would have to draw it too.
  return jitter === 0 ? longest : longest * (1 - jitter * Math.random());
}
