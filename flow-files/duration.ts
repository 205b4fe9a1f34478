// ISO 8601 durations in weeks, days of 24 hours, hours, minutes and seconds. Months and years have no fixed length, so
// they are refused.

const pattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const milliseconds = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/** A hundred years: Temporal keeps no longer timer, and a much longer wait would end beyond the last date of JavaScript. */
export const LONGEST_WAIT_MS = 36_500 * 86_400_000;

/** Null if the text is not a duration, or its length is zero. */
export function durationMs(text: unknown): number | null {
  const parts = typeof text === 'string' ? pattern.exec(text) : null;
  if (!parts) return null;
  const total = milliseconds.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0);
  return total > 0 && Number.isFinite(total) ? total : null;
}
