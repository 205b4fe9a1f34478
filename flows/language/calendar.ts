// The calendar of a desk: its time zone, its opening hours and its closed days. When the clocks of the zone change is part of the
// calendar: what it gives depends on nothing of the machine that asks.
import { isDate, lengthMs } from './duration.ts';

/** As a flow file has it. */
export interface CalendarData {
  /** Such as `Europe/Amsterdam`. */
  readonly zone: string;
  /** By days of the week such as `MON-FRI`: `08:00-17:00`, or a list of such hours. */
  readonly open?: Readonly<Record<string, string | readonly string[]>>;
  /** Days such as `2026-12-25`, of each year (`12-25`), and from one to another (`2026-12-24..2027-01-02`). */
  readonly closed?: readonly string[];
  readonly description?: string;
  /** Added when the file is read: since when (minutes since 1970) the zone is how many minutes ahead of UTC. */
  readonly offsets?: Offsets;
}

export type Offsets = readonly (readonly [since: number, ahead: number])[];

/** Hours of one day, in minutes of it. */
type Span = readonly [from: number, to: number];

/** As expressions and deadlines use it. */
export interface Calendar {
  /** For each day of the week from Sunday on. */
  readonly week: readonly (readonly Span[])[];
  /** Day by day; one of each year as it is written. */
  readonly closed: readonly string[];
  readonly offsets: Offsets;
}

export function isCalendar(value: unknown): value is Calendar {
  const { week, closed, offsets } = (value ?? {}) as Partial<Calendar>;
  return Array.isArray(week) && Array.isArray(closed) && Array.isArray(offsets);
}

export const MINUTE = 60_000;
export const DAY = 86_400_000;
const MINUTES_OF_DAY = 24 * 60;
/** In one calendar, those of its ranges too. */
export const MOST_CLOSED_DAYS = 1_000;
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

/** The hours of a calendar by day; or what is wrong with them, and under which key. */
export function weekOf(
  open: Readonly<Record<string, unknown>> = {},
): { readonly week: Calendar['week'] } | { readonly key: string; readonly expected: string } {
  const week: Span[][] = WEEKDAYS.map(() => []);
  for (const [key, given] of Object.entries(open)) {
    const days = daysOf(key);
    if (!days) return { key, expected: 'MON to SUN, or a range of them such as MON-FRI' };
    const spans = [given].flat().map(spanOf);
    if (spans.includes(null))
      return { key, expected: 'hours such as 08:00-17:00, up to 24:00, or a list of them' };
    for (const day of days) week[day]?.push(...(spans as Span[]));
  }
  for (const [day, spans] of week.entries()) {
    spans.sort(([one], [other]) => one - other);
    if (spans.some(([from], index) => from < (spans[index - 1]?.[1] ?? 0)))
      return { key: WEEKDAYS[day] ?? '', expected: 'hours of a day that do not overlap' };
  }
  return { week };
}

function daysOf(key: string): readonly number[] | null {
  const [from = -1, to = from, ...more] = key
    .split('-')
    .map((day) => (WEEKDAYS as readonly string[]).indexOf(day));
  if (from < 0 || to < 0 || more.length > 0) return null;
  // From a Friday to a Monday too.
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7);
}

const hours = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/;

function spanOf(given: unknown): Span | null {
  const [, ...numbers] = (typeof given === 'string' && hours.exec(given)) || [];
  if (numbers.length !== 4) return null;
  const [hour = 0, minute = 0, toHour = 0, toMinute = 0] = numbers.map(Number);
  const [from, to] = [hour * 60 + minute, toHour * 60 + toMinute];
  return minute < 60 && toMinute < 60 && from < to && to <= MINUTES_OF_DAY ? [from, to] : null;
}

/** The calendars of a file that has been read. */
export const calendarsOf = (
  calendars: Readonly<Record<string, CalendarData>> = {},
): Readonly<Record<string, Calendar>> =>
  Object.fromEntries(Object.entries(calendars).map(([name, given]) => [name, calendarOf(name, given)]));

function calendarOf(name: string, { open, closed = [], offsets }: CalendarData): Calendar {
  const read = weekOf(open);
  if (!('week' in read) || offsets === undefined)
    throw new TypeError(`the calendar ${name} is not one of a file that has been read`);
  return { week: read.week, closed: closed.flatMap(closedDays), offsets };
}

/** @param closed as a file has them */
export const closedOn = (calendar: Calendar, closed: readonly string[]): Calendar => ({
  ...calendar,
  closed: [...calendar.closed, ...closed.flatMap(closedDays)],
});

/** `12-25`; the 29th of February in leap years. */
export const isYearly = (closed: string): boolean => /^\d\d-\d\d$/.test(closed);

interface DayRange {
  /** Days since 1970. */
  readonly first: number;
  readonly last: number;
}

/** Null if it is none, or none that ends after it begins. */
function rangeOf(closed: string): DayRange | null {
  const [from, to, ...more] = closed.split('..');
  if (!isDate(from) || !isDate(to) || more.length > 0) return null;
  const [first, last] = [dayOf(Date.parse(from)), dayOf(Date.parse(to))];
  return first <= last ? { first, last } : null;
}

/** How many days an entry of `closed` is; null: it is no day, and no range of days. */
export function countClosed(given: unknown): number | null {
  if (typeof given !== 'string') return null;
  // A leap year.
  if (isDate(given) || (isYearly(given) && isDate(`2000-${given}`))) return 1;
  const range = rangeOf(given);
  return range && range.last - range.first + 1;
}

/** The days of an entry of `closed` that is one. */
export function closedDays(closed: string): readonly string[] {
  const range = rangeOf(closed);
  if (!range) return [closed];
  return Array.from({ length: range.last - range.first + 1 }, (_, index) => dateOf(range.first + index));
}

/** Local times are stored as if their clock reading were UTC. */
function aheadMs({ offsets }: Calendar, at: number): number {
  let [from, to] = [0, offsets.length - 1];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((offsets[middle]?.[0] ?? 0) * MINUTE <= at) from = middle;
    else to = middle - 1;
  }
  return (offsets[from]?.[1] ?? 0) * MINUTE;
}

export const localOf = (calendar: Calendar, at: number): number => at + aheadMs(calendar, at);

/** The first one of a time that comes twice; one that the clocks leave out is as much later as they are put forward. */
export function instantOf(calendar: Calendar, local: number): number {
  const before = aheadMs(calendar, local - DAY);
  const after = aheadMs(calendar, local + DAY);
  for (const ahead of [before, after]) if (aheadMs(calendar, local - ahead) === ahead) return local - ahead;
  return local - before;
}

export const dayOf = (local: number): number => Math.floor(local / DAY);
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** Months and days as people count them: the same time of the day, and of a shorter month its last day. */
export function dateLater(calendar: Calendar, at: number, { months, days, ms }: CalendarLength): number {
  const local = new Date(localOf(calendar, at));
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, lastDay));
  const reached = local.getTime() + days * DAY;
  // No day at all is not even a move to the first of two equal times.
  return (months === 0 && days === 0 ? at : instantOf(calendar, reached)) + ms;
}

/** A duration in which months and days are those of a calendar. */
export interface CalendarLength {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

const withMonths = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(T(?=\d).*)?$/;

/** Null if the text is not a duration. */
export function calendarLength(text: unknown): CalendarLength | null {
  const parts = (typeof text === 'string' && text !== 'P' && withMonths.exec(text)) || null;
  if (!parts) return null;
  const [years = 0, months = 0, weeks = 0, days = 0] = parts.slice(1, 5).map((each) => Number(each ?? 0));
  const ms = parts[5] === undefined ? 0 : lengthMs(`P${parts[5]}`);
  return ms === null ? null : { months: years * 12 + months, days: weeks * 7 + days, ms };
}
