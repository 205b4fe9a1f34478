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

// The header Retry-After in both of its forms (RFC 9110 section 10.2.3), as milliseconds from now.

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Null if the header is absent or unreadable.
 * @param date the answer's Date header: the peer's clock, because the peer computed its HTTP date with it.
 */
export function retryAfterMs(
  retryAfter: string | null | undefined,
  date: string | null | undefined,
): number | null {
  if (retryAfter == null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  if (!HTTP_DATE.test(retryAfter)) return null;
  const now = date != null && HTTP_DATE.test(date) ? Date.parse(date) : Date.now();
  const wait = Date.parse(retryAfter) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}
