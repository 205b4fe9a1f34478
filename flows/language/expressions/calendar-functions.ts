// The functions of expressions that count time by a calendar of the file.
import {
  type Calendar,
  type CalendarLength,
  calendarLength,
  closedOn,
  closes,
  countClosed,
  dateLater,
  instantOf,
  isCalendar,
  isOpen,
  localOf,
  MOST_DAYS_CLOSED,
  MOST_OPEN_DAYS,
  openLater,
  WEEKDAYS,
} from '../calendar.ts';
import { instantText, isDate, moment } from '../duration.ts';

function calendarIn(given: unknown): Calendar {
  if (isCalendar(given)) return given;
  throw new TypeError('it needs a calendar of the file, such as `calendars.desk`');
}

function lengthIn(text: unknown): CalendarLength {
  const length = calendarLength(text);
  if (length) return length;
  throw new TypeError(`${JSON.stringify(text)} is not a duration; expected one like "P3D" or "PT8H"`);
}

const withoutMonths = (text: unknown): CalendarLength => {
  const length = lengthIn(text);
  if (length.months === 0) return length;
  throw new TypeError(
    `${JSON.stringify(text)} has months; expected open days or hours, as in "P3D" or "PT8H"`,
  );
};

function reached(moment: number | undefined, by: string): number {
  if (moment !== undefined) return moment;
  throw new TypeError(
    `${by} is not reached: it would be more than ${MOST_OPEN_DAYS} open days, or the calendar has no open hours for ${MOST_DAYS_CLOSED} days`,
  );
}

function closing(at: string, calendar: unknown): string {
  const until = closes(calendarIn(calendar), moment(at));
  if (until !== undefined) return instantText(until);
  throw new TypeError(`the calendar has no open hours for ${MOST_DAYS_CLOSED} days`);
}

const localText = (at: string, calendar: unknown): string =>
  new Date(localOf(calendarIn(calendar), moment(at))).toISOString();

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

function instant(date: string, time: string, calendar: unknown): string {
  if (!isDate(date))
    throw new TypeError(`${JSON.stringify(date)} is not a day; expected one like "2026-12-24"`);
  if (!TIME.test(time))
    throw new TypeError(`${JSON.stringify(time)} is not a time of the day; expected one like "09:30"`);
  return instantText(instantOf(calendarIn(calendar), Date.parse(`${date}T${time}:00Z`)));
}

function closedToo(calendar: unknown, days: readonly unknown[]): Calendar {
  const wrong = days.find((day) => countClosed(day) === null);
  if (wrong !== undefined)
    throw new TypeError(
      `${JSON.stringify(wrong)} is not a day; expected days like "2026-12-24", of each year like "12-25", or like "2026-12-24..2027-01-02"`,
    );
  return closedOn(calendarIn(calendar), days as readonly string[]);
}

/** By their signatures. */
export const calendarFunctions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'openLater(string, string, map): string': (at: string, by: string, calendar: unknown) =>
    instantText(reached(openLater(calendarIn(calendar), moment(at), withoutMonths(by)), by)),
  'dateLater(string, string, map): string': (at: string, by: string, calendar: unknown) =>
    instantText(dateLater(calendarIn(calendar), moment(at), lengthIn(by))),
  'closes(string, map): string': closing,
  'isOpen(string, map): bool': (at: string, calendar: unknown) => isOpen(calendarIn(calendar), moment(at)),
  'weekday(string, map): string': (at: string, calendar: unknown) =>
    WEEKDAYS[new Date(localText(at, calendar)).getUTCDay()],
  'date(string, map): string': (at: string, calendar: unknown) => localText(at, calendar).slice(0, 10),
  'time(string, map): string': (at: string, calendar: unknown) => localText(at, calendar).slice(11, 16),
  'instant(string, string, map): string': instant,
  'closedOn(map, list): map': closedToo,
};

/** What they give, for the reference. */
export const calendarMeanings: Readonly<Record<string, string>> = {
  "openLater(now, 'P3D', calendars.desk)":
    'the instant when the calendar has been open for so long: days are days on which it opens, and hours those in which it is open; outside of them, time begins with the next ones',
  "dateLater(now, 'P1M', calendars.desk)":
    'the same time of the day so many years, months, weeks or days later, whether it is open then or not; in a shorter month, on its last day',
  'closes(now, calendars.desk)':
    'the closing time of the day: the end of its last open hours; past them, or on a closed day, that of the next open day',
  'isOpen(now, calendars.desk)': 'whether the calendar is open at that moment',
  'weekday(now, calendars.desk)': 'the day of the week in its zone, `MON` to `SUN`',
  'date(now, calendars.desk)': 'the day in its zone, such as `2026-12-24`',
  'time(now, calendars.desk)': 'the time of the day in its zone, such as `09:30`',
  "instant('2026-12-24', '09:30', calendars.desk)":
    'the instant of that day and time in its zone: of a time that comes twice the first, of one that the clocks leave out so much later',
  'closedOn(calendars.desk, context.holidays)':
    'the calendar with more closed days: a list of them, as `closed` of a calendar has it',
};
