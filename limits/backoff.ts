// How long to wait before the next try: twice as long after each failure, up to a longest wait.

export interface Backoff {
  readonly firstMs: number;
  readonly lastMs: number;
  /** The largest share of a wait that chance takes away: those that failed together must not come back together. */
  readonly jitter?: number;
}

/** After so many failures in a row, from 1. Jitter only shortens a wait, so that the longest wait holds. */
export function backoffMs(failures: number, { firstMs, lastMs, jitter = 0.2 }: Backoff): number {
  const longest = Math.min(firstMs * 2 ** (failures - 1), lastMs);
  // A workflow waits without jitter, and must not draw a number that its replay would have to draw again.
  return jitter === 0 ? longest : longest * (1 - jitter * Math.random());
}
