// The functions of expressions that count time by a calendar of the file.
import {
  type Calendar,
  type CalendarLength,
  calendarLength,
  closedOn,
  countClosed,
  dateLater,
  instantOf,
  isCalendar,
  localOf,
  WEEKDAYS,
} from '../calendar.ts';
import { instantText, isDate, moment } from '../duration.ts';
import {
  closes,
  isOpen,
  MOST_DAYS_CLOSED,
  MOST_OPEN_DAYS,
  openEarlier,
  openLater,
} from '../opening-hours.ts';
import type { OwnFunctions } from './literals.ts';

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

function dayIn(date: unknown): string {
  if (isDate(date)) return date;
  throw new TypeError(`${JSON.stringify(date)} is not a day; expected one like "2026-12-24"`);
}

function timeIn(time: unknown): string {
  if (typeof time === 'string' && TIME.test(time)) return time;
  throw new TypeError(`${JSON.stringify(time)} is not a time of the day; expected one like "09:30"`);
}

const instant = (date: string, time: string, calendar: unknown): string =>
  instantText(instantOf(calendarIn(calendar), Date.parse(`${dayIn(date)}T${timeIn(time)}:00Z`)));

function closedDaysIn(days: unknown): readonly string[] {
  const wrong = (days as readonly unknown[]).find((day) => countClosed(day) === null);
  if (wrong === undefined) return days as readonly string[];
  throw new TypeError(
    `${JSON.stringify(wrong)} is not a day; expected days like "2026-12-24", of each year like "12-25", or like "2026-12-24..2027-01-02"`,
  );
}

export const calendarFunctions: OwnFunctions = {
  'openLater(string, string, map): string': {
    run: (at: string, by: string, calendar: unknown) =>
      instantText(reached(openLater(calendarIn(calendar), moment(at), withoutMonths(by)), by)),
    reads: [moment, withoutMonths],
  },
  'openEarlier(string, string, map): string': {
    run: (at: string, by: string, calendar: unknown) =>
      instantText(reached(openEarlier(calendarIn(calendar), moment(at), withoutMonths(by)), by)),
    reads: [moment, withoutMonths],
  },
  'dateLater(string, string, map): string': {
    run: (at: string, by: string, calendar: unknown) =>
      instantText(dateLater(calendarIn(calendar), moment(at), lengthIn(by))),
    reads: [moment, lengthIn],
  },
  'closes(string, map): string': { run: closing, reads: [moment] },
  'isOpen(string, map): bool': {
    run: (at: string, calendar: unknown) => isOpen(calendarIn(calendar), moment(at)),
    reads: [moment],
  },
  'weekday(string, map): string': {
    run: (at: string, calendar: unknown) => WEEKDAYS[new Date(localText(at, calendar)).getUTCDay()],
    reads: [moment],
  },
  'date(string, map): string': {
    run: (at: string, calendar: unknown) => localText(at, calendar).slice(0, 10),
    reads: [moment],
  },
  'time(string, map): string': {
    run: (at: string, calendar: unknown) => localText(at, calendar).slice(11, 16),
    reads: [moment],
  },
  'instant(string, string, map): string': { run: instant, reads: [dayIn, timeIn] },
  'closedOn(map, list): map': {
    run: (calendar: unknown, days: unknown) => closedOn(calendarIn(calendar), closedDaysIn(days)),
    reads: [null, closedDaysIn],
  },
};

/** What they give, for the reference. */
export const calendarMeanings: Readonly<Record<string, string>> = {
  "openLater(now, 'P3D', calendars.desk)":
    'the instant when the calendar has been open for so long: days are days on which it opens, and hours those in which it is open; outside of them, time begins with the next ones',
  "openEarlier(context.due, 'P1D', calendars.desk)":
    'the instant since which the calendar has been open for so long, counted as by `openLater`: outside of its hours, time counts back from the end of those before',
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
