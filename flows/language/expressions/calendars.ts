// Working hours and local times, by the calendars of a flow file. When the clocks of a zone change is part of the calendar: what
// an expression gives depends on nothing of the machine that evaluates it.
import { durationParts, instantText, moment } from '../duration.ts';
import type { CalendarData, FlowFile } from '../flow-file.ts';

/** As the expressions of a process see it. */
export interface Calendar {
  readonly zone: string;
  /** For each day of the week from Sunday on: from and to, in minutes of its day. */
  readonly week: readonly (readonly (readonly [from: number, to: number])[])[];
  /** Days such as `2026-12-25`. */
  readonly closed: readonly string[];
  /** From when on, in minutes since 1970, the zone is ahead of UTC by how many minutes; in order. */
  readonly offsets: readonly (readonly [since: number, ahead: number])[];
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A calendar that is closed for so long is taken for one that never opens. */
const MAX_DAYS_CLOSED = 400;
const MAX_DAYS = 3_660;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

const MINUTES_OF_DAY = 24 * 60;
const hoursPattern = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/;

/** The hours of a calendar by day; or what is wrong with them, and under which key. */
export function weekOf(
  hours: Readonly<Record<string, unknown>> = {},
): { readonly week: Calendar['week'] } | { readonly key: string; readonly problem: string } {
  const week: (readonly [number, number])[][] = WEEKDAYS.map(() => []);
  for (const [key, given] of Object.entries(hours)) {
    const days = daysOf(key);
    if (!days) return { key, problem: 'MON to SUN, or a range of them such as MON-FRI' };
    const spans = [given].flat().map(spanOf);
    if (spans.includes(null))
      return { key, problem: 'hours such as 08:00-17:00, up to 24:00, or a list of them' };
    for (const day of days) week[day]?.push(...(spans as [number, number][]));
  }
  for (const [day, spans] of week.entries()) {
    spans.sort(([one], [other]) => one - other);
    if (spans.some(([from], index) => from < (spans[index - 1]?.[1] ?? 0)))
      return { key: WEEKDAYS[day] ?? '', problem: 'hours of a day that do not overlap' };
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

function spanOf(given: unknown): [number, number] | null {
  const [, ...numbers] = (typeof given === 'string' && hoursPattern.exec(given)) || [];
  if (numbers.length !== 4) return null;
  const [hour = 0, minute = 0, toHour = 0, toMinute = 0] = numbers.map(Number);
  const [from, to] = [hour * 60 + minute, toHour * 60 + toMinute];
  return minute < 60 && toMinute < 60 && from < to && to <= MINUTES_OF_DAY ? [from, to] : null;
}

/** Those of a file that has been read. */
export const calendarsOf = ({ calendars = {} }: FlowFile): Readonly<Record<string, Calendar>> =>
  Object.fromEntries(Object.entries(calendars).map(([name, given]) => [name, calendarOf(name, given)]));

function calendarOf(name: string, { zone, hours, closed = [], offsets }: CalendarData): Calendar {
  const read = weekOf(hours);
  if (!('week' in read) || offsets === undefined)
    throw new TypeError(`the calendar ${name} is not one of a file that has been read`);
  const calendar: CountedCalendar = {
    zone,
    week: read.week,
    closed,
    offsets,
    [closedDays]: new Set(closed),
  };
  return calendar;
}

/** A local time is kept as the milliseconds of the same reading of the clock in UTC. */
class Clock {
  readonly #offsets: Calendar['offsets'];

  constructor({ offsets }: Calendar) {
    this.#offsets = offsets;
  }

  #aheadMs(at: number): number {
    let [from, to] = [0, this.#offsets.length - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if ((this.#offsets[middle]?.[0] ?? 0) * MINUTE <= at) from = middle;
      else to = middle - 1;
    }
    return (this.#offsets[from]?.[1] ?? 0) * MINUTE;
  }

  local(at: number): number {
    return at + this.#aheadMs(at);
  }

  /** The first one of a time that comes twice; one that the clocks leave out is as much later as they are put forward. */
  instant(local: number): number {
    const before = this.#aheadMs(local - DAY);
    const after = this.#aheadMs(local + DAY);
    for (const ahead of [before, after]) if (this.#aheadMs(local - ahead) === ahead) return local - ahead;
    return local - before;
  }
}

const dayOf = (local: number): number => Math.floor(local / DAY);
const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/**
 * Called for each day that a calendar is asked about, with the number of its spans of hours; throws to end a search that has
 * become too long.
 */
type Counter = (spans: number) => void;

const counter = Symbol('counter');
const closedDays = Symbol('closed days');

/** What a calendar has beside the data that expressions see. */
interface CountedCalendar extends Calendar {
  readonly [counter]?: Counter;
  /** Of `closed`: it is asked again and again, and there may be thousands. */
  readonly [closedDays]?: ReadonlySet<string>;
}

/** A calendar that tells of each day that is looked at; any other value as it is. */
export const withDaysCounted = (value: unknown, counted: Counter): unknown =>
  isCalendar(value) ? { ...value, [counter]: counted } : value;

interface Span {
  readonly from: number;
  readonly to: number;
}

class Hours {
  readonly #calendar: Calendar;
  readonly #closed: ReadonlySet<string>;
  readonly #counted: Counter;
  readonly clock: Clock;
  /** The day that was asked about last: it is asked about for each of its spans. */
  #known: { readonly day: number; readonly spans: readonly Span[] } | undefined;

  constructor(calendar: CountedCalendar) {
    const { [counter]: counted = () => undefined, [closedDays]: closed } = calendar;
    this.#calendar = calendar;
    this.#counted = counted;
    this.#closed = closed ?? new Set(calendar.closed);
    // Not a calendar of the file, but data that looks like one.
    if (!closed) counted(this.#closed.size);
    this.clock = new Clock(calendar);
  }

  /** When it is open on that day, as instants. */
  of(day: number): readonly Span[] {
    // The first day of 1970 was a Thursday.
    const hours = this.#calendar.week[(((day + 4) % 7) + 7) % 7] ?? [];
    this.#counted(hours.length);
    if (this.#known?.day !== day) this.#known = { day, spans: this.#spansOf(day, hours) };
    return this.#known.spans;
  }

  #spansOf(day: number, hours: Calendar['week'][number]): readonly Span[] {
    if (hours.length === 0 || this.#closed.has(dateOf(day))) return [];
    const at = (minutes: number) => this.clock.instant(day * DAY + minutes * MINUTE);
    // Hours that begin when the clocks go forward may be over before they begin.
    return hours.map(([from, to]) => ({ from: at(from), to: at(to) })).filter(({ from, to }) => from < to);
  }

  /** The day itself, or the first one after it that has open hours. */
  openDay(day: number): number {
    for (let next = day; next <= day + MAX_DAYS_CLOSED; next++) if (this.of(next).length > 0) return next;
    throw new TypeError(
      `the calendar has no open hours in the ${MAX_DAYS_CLOSED} days from ${dateOf(day)} on`,
    );
  }

  /** The open hours that hold the moment, else the next ones. */
  at(moment: number): Span {
    let day = this.openDay(dayOf(this.clock.local(moment)));
    for (;;) {
      const found = this.of(day).find(({ to }) => to > moment);
      if (found) return found;
      day = this.openDay(day + 1);
    }
  }
}

function workLater(at: string, by: string, given: Calendar): string {
  const hours = new Hours(calendarIn(given));
  const { days, ms } = partsOf(by);
  const opened = (moment: number) => Math.max(moment, hours.at(moment).from);
  let reached = opened(moment(at));
  if (days > 0) {
    const local = hours.clock.local(reached);
    let day = dayOf(local);
    for (let left = bounded(days); left > 0; left--) day = hours.openDay(day + 1);
    reached = opened(hours.clock.instant(day * DAY + (local - dayOf(local) * DAY)));
  }
  let left = ms;
  for (let days = 0; left > 0; days++) {
    bounded(days);
    const { to } = hours.at(reached);
    if (reached + left <= to) return instantText(reached + left);
    left -= to - reached;
    reached = opened(to);
  }
  return instantText(reached);
}

function isOpen(at: string, given: Calendar): boolean {
  const hours = new Hours(calendarIn(given));
  const asked = moment(at);
  return hours.of(dayOf(hours.clock.local(asked))).some(({ from, to }) => from <= asked && asked < to);
}

function localTime(at: string, given: Calendar) {
  const local = new Clock(calendarIn(given)).local(moment(at));
  const text = new Date(local).toISOString();
  return {
    date: text.slice(0, 10),
    time: text.slice(11, 16),
    weekday: WEEKDAYS[new Date(local).getUTCDay()],
    year: Number(text.slice(0, 4)),
    month: Number(text.slice(5, 7)),
    day: Number(text.slice(8, 10)),
    hour: Number(text.slice(11, 13)),
    minute: Number(text.slice(14, 16)),
  };
}

/** Months and days as people mean them: the same time of the day, and of a shorter month its last day. */
function dateLater(at: string, by: string, given: Calendar): string {
  const clock = new Clock(calendarIn(given));
  const { months, days, ms } = partsOf(by, true);
  const local = new Date(clock.local(moment(at)));
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, lastDay));
  return instantText(clock.instant(local.getTime() + days * DAY) + ms);
}

function partsOf(text: unknown, mayHaveMonths = false) {
  const parts = durationParts(text);
  if (parts && (mayHaveMonths || parts.months === 0)) return parts;
  const examples = mayHaveMonths ? '"P1M", "P2W" or "P3D"' : '"PT8H" or "P2D"';
  throw new TypeError(`${JSON.stringify(text)} is not a duration here; expected one like ${examples}`);
}

function bounded(days: number): number {
  if (days > MAX_DAYS) throw new TypeError(`it would be more than ${MAX_DAYS} working days; expected fewer`);
  return days;
}

function isCalendar(given: unknown): given is Calendar {
  const { week, offsets } = (given ?? {}) as Partial<Calendar>;
  return Array.isArray(week) && Array.isArray(offsets);
}

function calendarIn(given: unknown): Calendar {
  if (isCalendar(given)) return given;
  throw new TypeError('it needs a calendar of the file, such as `calendars.desk`');
}

/** By their signature, with what they give. */
export const calendarMeanings: Readonly<Record<string, string>> = {
  "workLater(now, 'PT8H', calendars.desk)":
    'The instant when the calendar has been open for so long; days (`P2D`) are days on which it opens. Outside of its hours, time begins with the next ones.',
  'isOpen(now, calendars.desk)': 'Whether the calendar is open at that moment.',
  'localTime(now, calendars.desk)':
    'What clocks and calendars of its zone show: `date` (`2026-12-24`), `time` (`09:30`), `weekday` (`THU`), `year`, `month`, `day`, `hour`, `minute`.',
  "dateLater(now, 'P1M', calendars.desk)":
    'The same time of the day that many years, months, weeks or days later, whether the calendar is open then or not; in a shorter month, on its last day.',
};

export const calendarFunctions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'workLater(string, string, map): string': workLater,
  'isOpen(string, map): bool': isOpen,
  'localTime(string, map): map': localTime,
  'dateLater(string, string, map): string': dateLater,
};
