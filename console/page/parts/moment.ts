// How the page writes moments: "today, 11:15", "Sat 12 Dec, 11:15", "Sat 12 Dec, 11:15 (in 14 days)". Days count by the calendar of the
// reader. Without seconds: those are for Technical.
import { formattingLocale, t } from '../../../shared/texts/text.ts';

let made: Intl.DateTimeFormat | undefined;
/** In the reader's language, which is not known before the page begins. Formats take long to make. */
const format = (): Intl.DateTimeFormat =>
  (made ??= new Intl.DateTimeFormat(formattingLocale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }));

const DAY_MS = 24 * 3_600_000;
/** Beyond this, the date alone says enough. */
const MAX_DAYS = 400;

/** @param now a Date of the same clock */
export function formatMoment(at: Date, now: Date): string {
  const { weekday, day, month, year, hour, minute } = partsOf(at);
  const clock = `${hour}:${minute}`;
  const days = daysBetween(now, at);
  if (days === 0) return t`today, ${clock}`;
  if (days === 1) return t`tomorrow, ${clock}`;
  if (days === -1) return t`yesterday, ${clock}`;
  return `${dateOf({ weekday, day, month, year }, now)}, ${clock}`;
}

const dateOf = ({ weekday, day, month, year }: Record<string, string | undefined>, now: Date): string =>
  [weekday, day, month, ...(Number(year) === now.getFullYear() ? [] : [year])].join(' ');

/** As the heading of a day: "Today, Sat 28 Nov". */
export function formatDay(at: Date, now: Date): string {
  const date = dateOf(partsOf(at), now);
  const days = daysBetween(now, at);
  if (days === 0) return t`Today, ${date}`;
  return days === -1 ? t`Yesterday, ${date}` : date;
}

export function formatClock(at: Date): string {
  const { hour, minute } = partsOf(at);
  return `${hour}:${minute}`;
}

/** "in 14 days", "3 days ago"; null for today and its neighbours, which the moment itself names. */
export function formatDays(at: Date, now: Date): string | null {
  const days = daysBetween(now, at);
  if (Math.abs(days) < 2 || Math.abs(days) > MAX_DAYS) return null;
  return days > 0 ? t`in ${days} days` : t`${-days} days ago`;
}

export const formatMomentWithDays = (at: Date, now: Date): string => {
  const days = formatDays(at, now);
  return days === null ? formatMoment(at, now) : `${formatMoment(at, now)} (${days})`;
};

/** Midnights between the two, by the calendar: a day of 23 or 25 hours is one. */
function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((midnight(to) - midnight(from)) / DAY_MS);
}

const partsOf = (at: Date): Record<string, string> =>
  Object.fromEntries(
    format()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
