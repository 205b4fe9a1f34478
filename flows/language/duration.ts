// ISO 8601 durations in weeks, days of 24 hours, hours, minutes and seconds. Months and years have no fixed length: only a
// calendar takes them.

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

const calendarPattern =
  /^P(?=\d|T)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(T(?=\d)[\dHMS.]+)?$/;

/** For calendars, where days differ in length, and months too. Null if the text is not a duration, or its length is zero. */
export function durationParts(
  text: unknown,
): { readonly months: number; readonly days: number; readonly ms: number } | null {
  const [, years, months, weeks, days, time] = (typeof text === 'string' && calendarPattern.exec(text)) || [];
  const ms = time === undefined ? 0 : durationMs(`P${time}`);
  if (ms === null) return null;
  const count = (given: string | undefined) => Number(given ?? 0);
  const parts = {
    months: count(years) * 12 + count(months),
    days: count(weeks) * 7 + count(days),
    ms,
  };
  return parts.months + parts.days + parts.ms > 0 ? parts : null;
}
