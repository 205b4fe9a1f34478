// How long until the next attempt (assumptions: Callbacks: from about 1 s, doubled, with jitter, at most 10 min apart).

export interface Patience {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** The jitter only shortens, so that the cap holds; without it all that failed together would come back together. */
export function backoffMs(failures: number, { firstMs, lastMs }: Patience): number {
  return Math.min(firstMs * 2 ** (failures - 1), lastMs) * (1 - 0.2 * Math.random());
}

/** Retry-After (RFC 9110, 10.2.3), in seconds or as a date; undefined when absent or unreadable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
