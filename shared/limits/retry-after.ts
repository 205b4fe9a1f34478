// The header Retry-After in both of its forms (RFC 9110 section 10.2.3), as milliseconds from now.

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Null if the header is absent or unreadable.
 * @param date the answer's Date header: the service's clock, because the service computed its HTTP date with it.
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
