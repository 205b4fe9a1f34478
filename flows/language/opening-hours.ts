// When the desk of a calendar is open, and time counted by that.
import {
  type Calendar,
  type CalendarLength,
  DAY,
  dateOf,
  dayOf,
  instantOf,
  isYearly,
  localOf,
  MINUTE,
} from './calendar.ts';

const WEEKS_OF_YEAR = 52;
/** A calendar that is closed for so long is taken for one that never opens. */
export const MOST_DAYS_CLOSED = 400;
export const MOST_OPEN_DAYS = 3_660;

/** Hours in which it is open, as instants. */
interface OpenHours {
  readonly from: number;
  readonly to: number;
}

interface DayHours extends OpenHours {
  /** Days since 1970: hours up to 24:00 end on the next one. */
  readonly day: number;
}

interface OpenDay {
  /** Days since 1970. */
  readonly day: number;
  readonly hours: readonly OpenHours[];
}

class OpeningHours {
  readonly #calendar: Calendar;
  readonly #closed: ReadonlySet<string>;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
    this.#closed = new Set(calendar.closed);
  }

  of(day: number): readonly OpenHours[] {
    // The first day of 1970 was a Thursday.
    const spans = this.#calendar.week[(((day + 4) % 7) + 7) % 7] ?? [];
    if (spans.length === 0 || this.#isClosed(dateOf(day))) return [];
    const at = (minutes: number) => instantOf(this.#calendar, day * DAY + minutes * MINUTE);
    // Drops a span that falls into the hour skipped by the clocks.
    return spans.map(([from, to]) => ({ from: at(from), to: at(to) })).filter(({ from, to }) => from < to);
  }

  #isClosed(date: string): boolean {
    return this.#closed.has(date) || this.#closed.has(date.slice('2026-'.length));
  }

  /** The day itself, or the first one after it (-1: before it) that has open hours; undefined: it does not open for so long. */
  openDay(day: number, step: 1 | -1 = 1): OpenDay | undefined {
    for (let away = 0; away <= MOST_DAYS_CLOSED; away++) {
      const next = day + step * away;
      const hours = this.of(next);
      if (hours.length > 0) return { day: next, hours };
    }
    return undefined;
  }

  /** The open hours that hold the moment, else the next ones. */
  at(moment: number): OpenHours | undefined {
    return this.#firstFrom(moment, (hours) => hours.find(({ to }) => to > moment));
  }

  /** The open hours that hold the moment, else those before it; none after the day. */
  upTo(moment: number, day = dayOf(localOf(this.#calendar, moment))): DayHours | undefined {
    for (let open = this.openDay(day, -1); open; open = this.openDay(open.day - 1, -1)) {
      const hours = open.hours.findLast(({ from }) => from <= moment);
      if (hours) return { ...hours, day: open.day };
    }
    return undefined;
  }

  /** The closing time of the day, else of the next open day. */
  closing(moment: number): number | undefined {
    return this.#firstFrom(moment, (hours) => {
      const closing = Math.max(...hours.map(({ to }) => to));
      return closing < moment ? undefined : closing;
    });
  }

  /** What the first open day gives, from the day of the moment on. */
  #firstFrom<Found>(
    moment: number,
    find: (hours: readonly OpenHours[]) => Found | undefined,
  ): Found | undefined {
    let open = this.openDay(dayOf(localOf(this.#calendar, moment)));
    while (open) {
      const found = find(open.hours);
      if (found !== undefined) return found;
      open = this.openDay(open.day + 1);
    }
    return undefined;
  }
}

export function isOpen(calendar: Calendar, at: number): boolean {
  const spans = new OpeningHours(calendar).of(dayOf(localOf(calendar, at)));
  return spans.some(({ from, to }) => from <= at && at < to);
}

/**
 * The end of the last open hours of the day, or of the next open day if it is past them or that day is closed. Undefined: it does
 * not open for so long.
 */
export const closes = (calendar: Calendar, at: number): number | undefined =>
  new OpeningHours(calendar).closing(at);

/**
 * When the calendar has been open for so long. Days are days on which it opens; outside of its hours, time begins with the next
 * ones. Undefined: it does not open often enough in the years to come.
 */
export function openLater(calendar: Calendar, at: number, { days, ms }: CalendarLength): number | undefined {
  const opening = new OpeningHours(calendar);
  const first = opening.at(at);
  const opened = first && daysLater(calendar, opening, Math.max(at, first.from), days);
  if (opened === undefined) return undefined;
  let reached = opened;
  let left = ms;
  let open = opening.at(reached);
  for (let spans = 0; open && reached + left > open.to; spans++) {
    if (spans === MOST_OPEN_DAYS) return undefined;
    left -= open.to - reached;
    open = opening.at(open.to);
    reached = open?.from ?? reached;
  }
  return open && reached + left;
}

/** The same time of the day, or the next hours after it, on the day on which it opens so many days later. */
function daysLater(
  calendar: Calendar,
  opening: OpeningHours,
  from: number,
  days: number,
): number | undefined {
  if (days === 0) return from;
  if (days > MOST_OPEN_DAYS) return undefined;
  const local = localOf(calendar, from);
  let day: number | undefined = dayOf(local);
  for (let left = days; left > 0 && day !== undefined; left--) day = opening.openDay(day + 1)?.day;
  if (day === undefined) return undefined;
  const later = instantOf(calendar, day * DAY + (local - dayOf(local) * DAY));
  const open = opening.at(later);
  return open && Math.max(later, open.from);
}

/**
 * The moment since which the calendar has been open for so long. Days are days on which it opens; outside of its hours, time counts
 * back from the end of those before. Undefined: it has not been open often enough.
 */
export function openEarlier(
  calendar: Calendar,
  at: number,
  { days, ms }: CalendarLength,
): number | undefined {
  const opening = new OpeningHours(calendar);
  const last = opening.upTo(at);
  const began = last && daysEarlier(calendar, opening, { open: last, reached: Math.min(at, last.to) }, days);
  if (!began) return undefined;
  let { open, reached }: { open: DayHours | undefined; reached: number } = began;
  let left = ms;
  for (let spans = 0; open && reached - left < open.from; spans++) {
    if (spans === MOST_OPEN_DAYS) return undefined;
    left -= reached - open.from;
    open = opening.upTo(open.from - 1, open.day);
    reached = open?.to ?? reached;
  }
  return open && reached - left;
}

/** A moment within open hours, or at their end. */
interface Reached {
  readonly open: DayHours;
  readonly reached: number;
}

/** The same time of the day, or the end of the hours before it, on the day on which it opened so many days earlier. */
function daysEarlier(
  calendar: Calendar,
  opening: OpeningHours,
  from: Reached,
  days: number,
): Reached | undefined {
  if (days === 0) return from;
  if (days > MOST_OPEN_DAYS) return undefined;
  let day: number | undefined = from.open.day;
  for (let left = days; left > 0 && day !== undefined; left--) day = opening.openDay(day - 1, -1)?.day;
  if (day === undefined) return undefined;
  const time = localOf(calendar, from.reached) - from.open.day * DAY;
  const earlier = instantOf(calendar, day * DAY + time);
  const open = opening.upTo(earlier, day);
  return open && { open, reached: Math.min(earlier, open.to) };
}

/** How many days are looked at, to see when so much time has passed: most of the work of `openLater` and `openEarlier`. */
export function daysLookedAt({ week, closed }: Calendar, { days, ms }: CalendarLength): number {
  const openDays = week.filter((spans) => spans.length > 0).length;
  const openMs = week.flat().reduce((sum, [from, to]) => sum + (to - from) * MINUTE, 0);
  if (openDays === 0) return MOST_DAYS_CLOSED;
  // At worst, each day that is closed every year would be an open one.
  const openDaysOfYear = openDays * WEEKS_OF_YEAR;
  const share = Math.max(openDaysOfYear - closed.filter(isYearly).length, 1) / openDaysOfYear;
  return (Math.min(days / openDays + ms / openMs + 1, MOST_OPEN_DAYS) * 7) / share + closed.length;
}
