// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// biome-ignore-all lint/suspicious/noThenProperty: a key of stories.
// docs/flow-files.md: Time by a calendar
// The calendars of a flow file, held against a second implementation of calendars (temporal-polyfill), and what expressions and
// deadlines make of them.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  type Calendar,
  calendarsOf,
  dateLater,
  instantOf,
  localOf,
} from '../../../flows/language/calendar.ts';
import { instantText } from '../../../flows/language/duration.ts';
import { Budget } from '../../../flows/language/expressions/cost.ts';
import { template } from '../../../flows/language/expressions/template.ts';
import type { FlowFile, Json } from '../../../flows/language/flow-file.ts';
import { closes, isOpen, openEarlier, openLater } from '../../../flows/language/opening-hours.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { readCalendars } from '../../../flows/language/reading/shared-calendars.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { fractions } from '../../support/random.ts';
import { atSizes } from '../../support/suite.ts';
import { differing, fileOf, findingsIn, namesForTests } from './names.ts';

const textWith = (calendars: unknown): string =>
  stringify({
    ...{ name: 'Open', meaning: 'Waits until the desk opens.', calendars },
    ...{ initial: 'over', states: { over: { type: 'final' } } },
  });

const calendarIn = (calendar: unknown): Calendar =>
  calendarsOf(fileOf(textWith({ desk: calendar })).calendars).desk as Calendar;

const desk = { zone: 'Europe/Amsterdam', open: { 'MON-FRI': '08:00-17:00' }, closed: ['2026-12-25'] };

const evaluated = (expression: string, more: object = {}): Json =>
  template(`\${${expression}}`, 'here')(
    { now: '2026-01-01T00:00:00Z', calendars: { desk: calendarIn(desk) }, ...more },
    new Budget(),
  );

test.each([
  // A Monday in winter, and one in summer.
  ['2026-01-12T09:00:00Z', 'PT2H', '2026-01-12T11:00:00.000Z'],
  ['2026-07-13T09:00:00Z', 'PT2H', '2026-07-13T11:00:00.000Z'],
  // It closes at 16:00 UTC in winter, at 15:00 in summer.
  ['2026-01-12T15:00:00Z', 'PT2H', '2026-01-13T08:00:00.000Z'],
  ['2026-07-13T14:00:00Z', 'PT2H', '2026-07-14T07:00:00.000Z'],
  // Just at closing time is still that day.
  ['2026-01-12T15:00:00Z', 'PT1H', '2026-01-12T16:00:00.000Z'],
  // Friday evening begins on Monday.
  ['2026-01-16T20:00:00Z', 'PT1H', '2026-01-19T08:00:00.000Z'],
  ['2026-01-16T20:00:00Z', 'P0D', '2026-01-19T07:00:00.000Z'],
  ['2026-01-16T20:00:00Z', 'P1D', '2026-01-20T07:00:00.000Z'],
  ['2026-01-16T10:00:00Z', 'P1D', '2026-01-19T10:00:00.000Z'],
  ['2026-01-12T10:00:00Z', 'P1W', '2026-01-21T10:00:00.000Z'],
  ['2026-01-12T10:00:00Z', 'P1DT1H', '2026-01-13T11:00:00.000Z'],
  // Over the Friday that is Christmas, and the weekend after it.
  ['2026-12-24T15:30:00Z', 'PT1H', '2026-12-28T07:30:00.000Z'],
  // Over the night in which the clocks change.
  ['2026-03-27T15:00:00Z', 'PT2H', '2026-03-30T07:00:00.000Z'],
])('openLater(%s, %s) is %s', (at, by, expected) => {
  expect(evaluated(`openLater('${at}', '${by}', calendars.desk)`)).toBe(expected);
});

test.each([
  // Within its hours: the same time of the day before, also at the opening and at the closing time.
  ['2026-01-13T09:00:00Z', 'P1D', '2026-01-12T09:00:00.000Z'],
  ['2026-01-13T07:00:00Z', 'P1D', '2026-01-12T07:00:00.000Z'],
  ['2026-01-13T16:00:00Z', 'P1D', '2026-01-12T16:00:00.000Z'],
  // After closing, before opening, and on a Sunday it counts from the closing time before.
  ['2026-01-13T20:00:00Z', 'P1D', '2026-01-12T16:00:00.000Z'],
  ['2026-01-14T05:00:00Z', 'P1D', '2026-01-12T16:00:00.000Z'],
  ['2026-01-18T10:00:00Z', 'P1D', '2026-01-16T13:00:00.000Z'],
  ['2026-01-18T10:00:00Z', 'P0D', '2026-01-17T13:00:00.000Z'],
  ['2026-01-13T10:00:00Z', 'P0D', '2026-01-13T10:00:00.000Z'],
  // Lunch ends with what was before it.
  ['2026-01-13T11:15:00Z', 'P1D', '2026-01-12T11:00:00.000Z'],
  // Saturday is open from ten to two: within its hours, after them, before them.
  ['2026-01-12T10:00:00Z', 'P1D', '2026-01-10T10:00:00.000Z'],
  ['2026-01-12T15:00:00Z', 'P1D', '2026-01-10T13:00:00.000Z'],
  ['2026-01-12T08:00:00Z', 'P1D', '2026-01-09T16:00:00.000Z'],
  ['2026-01-12T10:00:00Z', 'P1W', '2026-01-03T10:00:00.000Z'],
  // Over the Friday that is Christmas.
  ['2026-12-26T12:00:00Z', 'P1D', '2026-12-24T12:00:00.000Z'],
  // Over the nights in which the clocks change.
  ['2026-03-30T09:00:00Z', 'P2D', '2026-03-27T10:00:00.000Z'],
  ['2026-10-26T10:00:00Z', 'P2D', '2026-10-23T09:00:00.000Z'],
  // Hours in which it is open: over lunch, over night, just to the opening.
  ['2026-01-13T12:00:00Z', 'PT1H', '2026-01-13T10:30:00.000Z'],
  ['2026-01-13T08:00:00Z', 'PT2H', '2026-01-12T15:00:00.000Z'],
  ['2026-01-13T08:00:00Z', 'PT1H', '2026-01-13T07:00:00.000Z'],
  ['2026-01-13T10:00:00Z', 'P1DT1H', '2026-01-12T09:00:00.000Z'],
  ['2026-03-30T07:00:00Z', 'PT6H', '2026-03-27T15:00:00.000Z'],
])('openEarlier(%s, %s) is %s', (at, by, expected) => {
  const open = { 'MON-FRI': ['08:00-12:00', '12:30-17:00'], SAT: '10:00-14:00' };
  const calendars = { desk: calendarIn({ ...desk, open }) };
  expect(evaluated(`openEarlier('${at}', '${by}', calendars.desk)`, { calendars })).toBe(expected);
});

test('a day that ends at 24:00 is the day before, not the next one', () => {
  const calendars = { desk: calendarIn({ zone: 'UTC', open: { FRI: '08:00-17:00', SAT: '00:00-24:00' } }) };
  const before = (by: string) =>
    evaluated(`openEarlier('2026-01-11T09:00:00Z', '${by}', calendars.desk)`, { calendars });
  expect(['P0D', 'P1D', 'P2D'].map(before)).toEqual([
    '2026-01-11T00:00:00.000Z',
    '2026-01-09T17:00:00.000Z',
    '2026-01-04T00:00:00.000Z',
  ]);
});

test.each([
  ['2026-01-31T10:00:00Z', 'P1M', '2026-02-28T10:00:00.000Z'],
  ['2026-02-28T10:00:00Z', 'P1Y', '2027-02-28T10:00:00.000Z'],
  ['2028-02-29T10:00:00Z', 'P1Y', '2029-02-28T10:00:00.000Z'],
  // A day of 23 hours, and one of 25.
  ['2026-03-28T08:00:00Z', 'P1D', '2026-03-29T07:00:00.000Z'],
  ['2026-10-24T07:00:00Z', 'P1D', '2026-10-25T08:00:00.000Z'],
  // 02:30 does not exist on that day, and comes twice on this one.
  ['2026-03-28T01:30:00Z', 'P1D', '2026-03-29T01:30:00.000Z'],
  ['2026-10-24T00:30:00Z', 'P1D', '2026-10-25T00:30:00.000Z'],
  // No day is none, also in the second of two equal hours.
  ['2026-10-25T01:30:00Z', 'P0D', '2026-10-25T01:30:00.000Z'],
  ['2026-12-24T10:00:00Z', 'P1MT2H', '2027-01-24T12:00:00.000Z'],
])('dateLater(%s, %s) is %s', (at, by, expected) => {
  expect(evaluated(`dateLater('${at}', '${by}', calendars.desk)`)).toBe(expected);
});

test.each([
  // Within its hours, before them, at lunch, and just at closing time.
  ['2026-01-12T09:00:00Z', '2026-01-12T16:00:00.000Z'],
  ['2026-01-12T02:00:00Z', '2026-01-12T16:00:00.000Z'],
  ['2026-01-12T11:15:00Z', '2026-01-12T16:00:00.000Z'],
  ['2026-01-12T16:00:00Z', '2026-01-12T16:00:00.000Z'],
  // A minute later it is the next day, a Friday evening the Monday.
  ['2026-01-12T16:01:00Z', '2026-01-13T16:00:00.000Z'],
  ['2026-01-16T20:00:00Z', '2026-01-19T16:00:00.000Z'],
  // The Friday that is Christmas.
  ['2026-12-25T09:00:00Z', '2026-12-28T16:00:00.000Z'],
  // Monday has begun in its zone.
  ['2026-01-11T23:30:00Z', '2026-01-12T16:00:00.000Z'],
  // The evenings before the clocks change, and the days after.
  ['2026-03-27T18:00:00Z', '2026-03-30T15:00:00.000Z'],
  ['2026-10-23T18:00:00Z', '2026-10-26T16:00:00.000Z'],
])('closes(%s) is %s', (at, expected) => {
  const withLunch = { ...desk, open: { 'MON-FRI': ['08:00-12:00', '12:30-17:00'] } };
  const calendars = { desk: calendarIn(withLunch) };
  expect(evaluated(`closes('${at}', calendars.desk)`, { calendars })).toBe(expected);
});

test.each([
  // Until an hour that the clocks leave out on this day, and that comes twice on that.
  ['02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['02:30', '2026-10-25T01:15:00Z', '2026-10-26T01:30:00.000Z'],
  ['24:00', '2026-03-29T12:00:00Z', '2026-03-29T22:00:00.000Z'],
])('a desk that is open until %s closes after %s at %s', (until, at, expected) => {
  const calendars = { night: calendarIn({ zone: desk.zone, open: { 'MON-SUN': `00:00-${until}` } }) };
  expect(evaluated(`closes('${at}', calendars.night)`, { calendars })).toBe(expected);
});

test.each<[string, Json]>([
  ["weekday('2026-12-24T23:30:00Z', calendars.desk)", 'FRI'],
  ["date('2026-12-24T23:30:00Z', calendars.desk)", '2026-12-25'],
  ["time('2026-07-01T10:00:00Z', calendars.desk)", '12:00'],
  ["isOpen('2026-12-24T09:00:00Z', calendars.desk)", true],
  ["isOpen('2026-12-25T09:00:00Z', calendars.desk)", false],
  ["isOpen('2026-12-24T09:00:00Z', closedOn(calendars.desk, ['2026-12-24']))", false],
  ["isOpen('2031-12-24T09:00:00Z', closedOn(calendars.desk, ['12-24']))", false],
  ["isOpen('2026-12-22T09:00:00Z', closedOn(calendars.desk, ['2026-12-23..2026-12-24']))", true],
  ["isOpen('2026-12-24T09:00:00Z', closedOn(calendars.desk, ['2026-12-23..2026-12-24']))", false],
  [
    "closes(openLater('2026-01-15T09:00:00Z', 'P3D', calendars.desk), calendars.desk)",
    '2026-01-20T16:00:00.000Z',
  ],
  ["instant('2026-12-24', '09:30', calendars.desk)", '2026-12-24T08:30:00.000Z'],
  ["instant(date(later(now, 'P1D'), calendars.desk), '18:00', calendars.desk)", '2026-01-02T17:00:00.000Z'],
  ["later(now, 'P0D')", '2026-01-01T00:00:00.000Z'],
])('%s is %s', (expression, expected) => {
  expect(evaluated(expression)).toBe(expected);
});

test.each([
  ["openLater(now, 'P1M', calendars.desk)", 'has months'],
  ["openLater(now, 'tomorrow', calendars.desk)", 'is not a duration'],
  ["openEarlier(now, 'P1M', calendars.desk)", 'has months'],
  ["openEarlier(now, 'P5000D', calendars.desk)", 'more than 3660 open days'],
  ["openLater(now, 'P1D', input)", 'a calendar of the file'],
  ["openLater(now, 'P5000D', calendars.desk)", 'more than 3660 open days'],
  ['closes(now, input)', 'a calendar of the file'],
  ["closes('soon', calendars.desk)", 'is not an instant'],
  ["instant('2026-02-30', '09:30', calendars.desk)", 'is not a day'],
  ["instant('2026-02-28', '24:00', calendars.desk)", 'is not a time of the day'],
  ["isOpen(now, closedOn(calendars.desk, ['Christmas']))", 'is not a day'],
  ["isOpen(now, closedOn(calendars.desk, ['2026-12-24..2026-12-23']))", 'is not a day'],
])('%s fails: %s', (expression, reason) => {
  expect(() => evaluated(expression, { input: {} })).toThrow(reason);
});

/** The reasons of the findings in a file that has the expression, without the expression itself. */
const reasonsFor = (expression: string): string[] => {
  const file = { ...parse(textWith({ desk })), context: { at: `\${${expression}}` } };
  const { findings } = readFlowFile(stringify(file), namesForTests);
  return findings.map(({ code, path, what }) => `${code} ${path} ${what.replace(`\${${expression}} `, '')}`);
};

test.each([
  ["openLater(now, '-P1D', calendars.desk)", 'openLater: "-P1D" is not a duration'],
  ["openLater(now, 'P1M', calendars.desk)", 'openLater: "P1M" has months'],
  ["openEarlier(now, '-P1D', calendars.desk)", 'openEarlier: "-P1D" is not a duration'],
  ["openLater('2026-02-30', 'P1D', calendars.desk)", 'openLater: "2026-02-30" is not an instant'],
  ["dateLater(now, '1 month', calendars.desk)", 'dateLater: "1 month" is not a duration'],
  ["has(input.at) ? later(input.at, 'P1M') : now", 'later: "P1M" is not a duration'],
  ["[{ 'due': earlier(now, '') }][0].due", 'earlier: "" is not a duration'],
  ["input.all(each, isBefore(each, 'tomorrow'))", 'isBefore: "tomorrow" is not an instant'],
  ["secondsBetween('', now)", 'secondsBetween: "" is not an instant'],
  ["closes(dateLater(now, 'P1X', calendars.desk), calendars.desk)", 'dateLater: "P1X" is not a duration'],
  ["isOpen('9:00', calendars.desk)", 'isOpen: "9:00" is not an instant'],
  ["instant('2026-02-30', input.time, calendars.desk)", 'instant: "2026-02-30" is not a day'],
  ["instant(input.day, '9:00', calendars.desk)", 'instant: "9:00" is not a time of the day'],
  ["closedOn(calendars.desk, [input.day, '25-12'])", 'closedOn: "25-12" is not a day'],
])('a file with %s is refused: %s', (expression, reason) => {
  expect(reasonsFor(expression)).toEqual([
    expect.stringContaining(`ExpressionInvalid context.at (${reason}; expected`),
  ]);
});

test.each([
  'openLater(input.at, input.by, calendars.desk)',
  "openLater('2026-12-24T10:00:00Z', 'P1DT4H', calendars.desk)",
  "instant('2026-12-24', '09:30', calendars.desk)",
  "closedOn(calendars.desk, ['12-25', '2026-12-24..2027-01-02', input.day])",
  "later(now, 'P' + '1D')",
])('what is right, or is computed, is none: %s', (expression) => {
  expect(reasonsFor(expression)).toEqual([]);
});

/** `01-01` and on. */
const daysOfYear = Array.from({ length: 366 }, (_, index) =>
  instantText(Date.UTC(2028, 0, 1 + index)).slice('2028-'.length, '2028-01-01'.length),
);

const FOUR_THOUSAND = Array.from({ length: 4_000 }, (_, index) => index);

test.each([
  ['4,000 looks at a calendar', 'input.all(at, isOpen(now, calendars.holed) || at >= 0)'],
  [
    '1,000 calendars with one more closed day',
    "input.all(at, at >= 1000 || isOpen(now, closedOn(calendars.holed, ['2026-12-24'])) || at >= 0)",
  ],
  ['all days of all years', "isOpen(now, closedOn(calendars.desk, ['0001-01-01..9999-12-31']))"],
  [
    '1,000 calendars with a range of closed days',
    "input.all(at, at >= 1000 || size([closedOn(calendars.desk, ['2026-01-01..2028-09-26'])]) == 1)",
  ],
  [
    '40 counts over days that are closed each year',
    "input.all(at, at >= 40 || openLater(now, 'P6D', calendars.yearly) != '')",
  ],
  [
    '150 closing times over days that are closed each year',
    "input.all(at, at >= 150 || closes(now, calendars.yearly) != '')",
  ],
  ['250 long counts back', "input.all(at, at >= 250 || openEarlier(now, 'PT40M', calendars.seldom) != '')"],
  ['250 long counts', "input.all(at, at >= 250 || openLater(now, 'PT40M', calendars.seldom) != '')"],
])('%s are more work than a step may do', (_, expression) => {
  const closed = Array.from({ length: 1_000 }, (_day, index) =>
    instantText(Date.UTC(2030, 0, 1 + index)).slice(0, 10),
  );
  const calendars = {
    desk: calendarIn(desk),
    // Open on one Monday in many.
    yearly: calendarIn({ zone: 'UTC', open: { MON: '08:00-17:00' }, closed: daysOfYear.slice(0, 330) }),
    holed: calendarIn({ ...desk, closed }),
    seldom: calendarIn({ zone: 'UTC', open: { MON: '08:00-08:01' } }),
  };
  expect(() => evaluated(expression, { calendars, input: FOUR_THOUSAND })).toThrow('TooMuchWork');
});

test.each([
  "openLater(now, 'P3D', calendars.shut)",
  "openEarlier(now, 'P3D', calendars.shut)",
  'closes(now, calendars.shut)',
])('a calendar that never opens is said, and does not hold up a worker: %s', (expression) => {
  const shut = { shut: calendarIn({ zone: 'UTC' }) };
  const began = performance.now();
  expect(() => evaluated(expression, { calendars: shut })).toThrow('no open hours');
  expect(performance.now() - began).toBeLessThan(1_000);
});

const zones = Intl.supportedValuesOf('timeZone');
const FIRST = Date.UTC(2021, 0, 1);
const DAYS = 30 * 365;

atSizes({ short: 8, long: zones.length }, (size, seed) => {
  const random = fractions(seed);
  const some = zones
    .map((zone) => ({ zone, at: size === zones.length ? 0 : random() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, size)
    .map(({ zone }) => zone);

  test('over 30 years, in every zone, clocks and days are those of a second implementation', () => {
    for (const zone of some) {
      const calendar = calendarIn({ zone });
      for (const at of moments(calendar, random)) {
        const second = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        const local = new Date(localOf(calendar, at)).toISOString().slice(0, 16);
        expect([zone, instantText(at), local]).toEqual([
          zone,
          instantText(at),
          second.toPlainDateTime().toString({ smallestUnit: 'minute' }),
        ]);
        const plain = second.toPlainDateTime();
        const shifted = plain.add({ minutes: Math.floor(random() * 180) - 90 });
        const localMs = Date.parse(`${shifted.toString({ smallestUnit: 'minute' })}Z`);
        expect([zone, shifted.toString(), instantOf(calendar, localMs)]).toEqual([
          zone,
          shifted.toString(),
          Date.parse(shifted.toZonedDateTime(zone).toInstant().toString({ smallestUnit: 'minute' })),
        ]);
        const length = { months: Math.floor(random() * 14), days: 1 + Math.floor(random() * 40), ms: 0 };
        expect([zone, instantText(at), length, dateLater(calendar, at, length)]).toEqual([
          ...[zone, instantText(at), length],
          second.add({ months: length.months, days: length.days }).epochMilliseconds,
        ]);
      }
    }
  });
});

/** Some at any time, some close to a change of the clocks. */
function moments({ offsets }: Calendar, random: () => number): number[] {
  const anywhere = () => FIRST + Math.floor(random() * DAYS * 1_440) * 60_000;
  const changes = offsets
    .map(([since]) => since * 60_000)
    .filter((at) => at > FIRST && at < FIRST + DAYS * 86_400_000);
  const close = () => {
    const change = changes[Math.floor(random() * changes.length)];
    return change === undefined ? anywhere() : change + Math.floor((random() - 0.5) * 2_880) * 60_000;
  };
  return [...Array.from({ length: 6 }, anywhere), ...Array.from({ length: 14 }, close)];
}

describe.each([
  'Europe/Amsterdam',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
])('in the zone %s', (zone) => {
  const open = { 'MON-THU': ['08:30-12:00', '13:00-17:15'], 'SAT-SUN': '00:00-24:00' };
  const random = fractions(7);
  const ranges = Array.from({ length: 30 }, () => {
    const first = Temporal.PlainDate.from('2021-01-01').add({ days: Math.floor(random() * DAYS) });
    return Array.from({ length: 1 + Math.floor(random() * 40) }, (_, days) => first.add({ days }).toString());
  });
  const yearly = ['02-29', ...Array.from({ length: 40 }, () => daysOfYear[Math.floor(random() * 366)] ?? '')];
  const closed = [...yearly, ...ranges.map((days) => `${days[0]}..${days.at(-1)}`)];
  const closedDays = new Set(ranges.flat());
  const calendar = calendarIn({ zone, open, closed });

  /** As one reads it off the door. */
  const isOpenAt = (ms: number): boolean => {
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
    const { dayOfWeek, hour, minute } = local;
    const time = hour * 60 + minute;
    const day = local.toPlainDate().toString();
    if (closedDays.has(day) || yearly.includes(day.slice('2026-'.length))) return false;
    if (dayOfWeek >= 6) return true;
    return dayOfWeek !== 5 && ((time >= 510 && time < 720) || (time >= 780 && time < 1_035));
  };

  test('it is open when its hours say so', () => {
    for (const at of moments(calendar, random))
      expect([instantText(at), isOpen(calendar, at)]).toEqual([instantText(at), isOpenAt(at)]);
  });

  /** The end of the last hours that stand on the door for that day. */
  const closingOf = (day: Temporal.PlainDate): number | undefined => {
    const isShut = closedDays.has(day.toString()) || yearly.includes(day.toString().slice('2026-'.length));
    if (isShut || day.dayOfWeek === 5) return undefined;
    const until = day.dayOfWeek >= 6 ? day.add({ days: 1 }).toPlainDateTime() : day.toPlainDateTime('17:15');
    return until.toZonedDateTime(zone).epochMilliseconds;
  };

  test('it closes at the end of the last hours of a day', () => {
    for (const at of moments(calendar, random)) {
      let day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
      while ((closingOf(day) ?? 0) < at) day = day.add({ days: 1 });
      expect([instantText(at), closes(calendar, at)]).toEqual([instantText(at), closingOf(day)]);
    }
  });

  test('open hours are counted as one would minute by minute', () => {
    for (const at of moments(calendar, random)) {
      const minutes = 1 + Math.floor(random() * 1_500);
      let [ms, left] = [at, minutes];
      for (; left > 0; ms += 60_000) if (isOpenAt(ms)) left--;
      expect([
        instantText(at),
        minutes,
        openLater(calendar, at, { months: 0, days: 0, ms: minutes * 60_000 }),
      ]).toEqual([...[instantText(at), minutes], ms]);
    }
  });

  /** The moment if it is within open hours or at their end, else the end of those before. */
  const heldOrClosed = (at: number): number => {
    let ms = at;
    while (!isOpenAt(ms) && !isOpenAt(ms - 60_000)) ms -= 60_000;
    return ms;
  };

  test('open hours are counted back as one would minute by minute', () => {
    for (const at of moments(calendar, random)) {
      const minutes = 1 + Math.floor(random() * 1_500);
      let [ms, left] = [at, minutes];
      for (; left > 0; ms -= 60_000) if (isOpenAt(ms - 60_000)) left--;
      expect([
        instantText(at),
        minutes,
        openEarlier(calendar, at, { months: 0, days: 0, ms: minutes * 60_000 }),
      ]).toEqual([...[instantText(at), minutes], ms]);
    }
  });

  test('open days are counted back on the door, to the same time of the day', () => {
    for (const at of moments(calendar, random)) {
      const days = 1 + Math.floor(random() * 12);
      const from = heldOrClosed(at);
      // 24:00 is a time of the day that ends.
      const ends = isOpenAt(from) ? 0 : 60_000;
      const local = Temporal.Instant.fromEpochMilliseconds(from - ends).toZonedDateTimeISO(zone);
      let day = local.toPlainDate();
      for (let left = days; left > 0; ) {
        day = day.subtract({ days: 1 });
        if (closingOf(day) !== undefined) left--;
      }
      const time = local.toPlainTime();
      const earlier = day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds + ends;
      expect([instantText(at), days, openEarlier(calendar, at, { months: 0, days, ms: 0 })]).toEqual([
        ...[instantText(at), days],
        heldOrClosed(earlier),
      ]);
    }
  });
});

test.each([
  [{ zone: 'Europe/Amsterdm' }, 'ValueWrong calendars.desk.zone'],
  [{ zone: 'europe/amsterdam' }, 'ValueWrong calendars.desk.zone'],
  [{ open: { MON: '08:00-17:00' } }, 'FieldMissing calendars.desk'],
  [{ zone: 'UTC', open: { MO: '08:00-17:00' } }, 'ValueWrong calendars.desk.open.MO'],
  [{ zone: 'UTC', open: { MON: '17:00-08:00' } }, 'ValueWrong calendars.desk.open.MON'],
  [{ zone: 'UTC', open: { MON: '8-17' } }, 'ValueWrong calendars.desk.open.MON'],
  [{ zone: 'UTC', open: { MON: ['08:00-12:00', '11:00-13:00'] } }, 'ValueWrong calendars.desk.open.MON'],
  [{ zone: 'UTC', closed: ['2026-02-30'] }, 'ValueWrong calendars.desk.closed.0'],
  [{ zone: 'UTC', closed: ['02-29', '02-30'] }, 'ValueWrong calendars.desk.closed.1'],
  [{ zone: 'UTC', closed: ['2026-12-24..2026-12-23'] }, 'ValueWrong calendars.desk.closed.0'],
  [{ zone: 'UTC', closed: ['12-24..12-26'] }, 'ValueWrong calendars.desk.closed.0'],
  [{ zone: 'UTC', closed: ['2026-01-01..2026-01-02..2026-01-03'] }, 'ValueWrong calendars.desk.closed.0'],
  [{ zone: 'UTC', closed: ['2026-01-01', '2027-01-01..2029-09-27'] }, 'ValueWrong calendars.desk.closed'],
  ['library', 'CalendarUnknown calendars.desk'],
])('%j is refused: %s', (calendar, finding) => {
  expect(findingsIn(textWith({ desk: calendar }))).toEqual([finding]);
});

test('a file takes a calendar that the files of its folder share', () => {
  const { calendars } = readCalendars(stringify({ library: desk }));
  const { file } = readFlowFile(textWith({ desk: 'library' }), { ...namesForTests, calendars });
  expect((file as FlowFile).calendars?.desk).toMatchObject(desk);
  expect(readCalendars('library: { zone: Nowhere }').findings).toMatchObject([
    { code: 'ValueWrong', path: 'library.zone', line: 1 },
  ]);
});

const loan = (deadline: string): string => `
name: Loan
meaning: A device is lent, and fetched within three open days.
calendars:
  desk: { zone: Europe/Amsterdam, open: { MON-FRI: "08:00-17:00" }, closed: [2026-01-08] }
  clock: { zone: Europe/Amsterdam }
input: { type: object, required: [item, user], properties: { item: { type: string }, user: { type: string }, holidays: { type: array, items: { type: string }, default: [] } } }
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input:
        operation: CreateLocalShipmentAsIssueFromStock
        request: { priorShipmentUid: "\${input.item}", toUserUid: "\${input.user}" }
        deadlines: { issue: { pickUp: ${deadline} } }
      onDone: over
      onError: over
    on: { loan.issue.overdue: late }
  late: { type: final }
  over: { type: final }
`;

test.each([
  ['{ open: P3D, in: desk }', {}, '2026-01-09T09:00:00Z'],
  ['{ open: PT8H, in: desk }', {}, '2026-01-06T08:00:00Z'],
  ['{ date: P3D, in: desk }', {}, '2026-01-08T09:00:00Z'],
  ['{ open: P3D, at: closing, in: desk }', {}, '2026-01-09T16:00:00Z'],
  ['{ open: PT10H, at: closing, in: desk }', {}, '2026-01-06T16:00:00Z'],
  // A closed day, and a Saturday: the next open one.
  ['{ date: P3D, at: closing, in: desk }', {}, '2026-01-09T16:00:00Z'],
  ['{ date: P5D, at: closing, in: desk }', {}, '2026-01-12T16:00:00Z'],
  [
    '{ date: P2D, at: closing, in: desk, closed: "${input.holidays}" }',
    { holidays: ['2026-01-07'] },
    '2026-01-09T16:00:00Z',
  ],
  [
    '{ open: P3D, in: desk, closed: "${input.holidays}" }',
    { holidays: ['2026-01-07'] },
    '2026-01-12T09:00:00Z',
  ],
  [
    '{ open: P3D, in: desk, closed: "${input.holidays}" }',
    { holidays: ['01-07', '2026-01-09..2026-01-12'] },
    '2026-01-14T09:00:00Z',
  ],
])('a leg that is to be fetched within %s is late in time: given %j, at %s', (deadline, more, until) => {
  const before = new Date(Date.parse(until) - 60_000).toISOString();
  expect(
    differing(
      fileOf(loan(deadline)),
      `
- when: { event: loan.issue.ReadyForPickup }
  then: { state: lent }
- when: { passes: ${before} }
  then: { state: lent }
- when: { passes: ${until} }
  then: { state: late }
`,
      { item: 'stock-1', user: 'anna', ...more },
    ),
  ).toEqual([]);
});

test.each([
  ['{ open: P3D, in: dsk }', 'CalendarUnknown states.lent.invoke.input.deadlines.issue.pickUp.in'],
  ['{ open: P3D }', 'FieldMissing states.lent.invoke.input.deadlines.issue.pickUp'],
  ['{ in: desk }', 'FieldMissing states.lent.invoke.input.deadlines.issue.pickUp'],
  ['{ open: P3D, date: P3D, in: desk }', 'FieldsConflict states.lent.invoke.input.deadlines.issue.pickUp'],
  ['{ open: P1M, in: desk }', 'ValueWrong states.lent.invoke.input.deadlines.issue.pickUp.open'],
  ['{ open: P3D, in: clock }', 'ValueWrong states.lent.invoke.input.deadlines.issue.pickUp.in'],
  ['{ date: P3D, at: closing, in: clock }', 'ValueWrong states.lent.invoke.input.deadlines.issue.pickUp.in'],
  ['{ open: P3D, at: closed, in: desk }', 'ValueWrong states.lent.invoke.input.deadlines.issue.pickUp.at'],
  ['{ at: closing, in: desk }', 'FieldMissing states.lent.invoke.input.deadlines.issue.pickUp'],
])('the deadline %s is refused: %s', (deadline, finding) => {
  expect(findingsIn(loan(deadline))).toEqual([finding]);
});

test('the closing time that a deadline goes by is that of the calendar of the version that runs', () => {
  const before = fileOf(loan('{ open: P3D, at: closing, in: desk }'));
  const text = JSON.stringify(before).replace('08:00-17:00', '08:00-18:30');
  const { problems } = play(
    before,
    {
      ...{ story: 'It closes later.', given: { input: { item: 'stock-1', user: 'anna' } } },
      steps: [
        { when: { event: 'loan.issue.ReadyForPickup' } },
        { when: { migrates: 'next' } },
        { when: { passes: '2026-01-09T17:29:00Z' }, then: { state: 'lent' } },
        { when: { passes: '2026-01-09T17:30:00Z' }, then: { state: 'late' } },
      ],
    },
    { versions: new Map([['next', JSON.parse(text)]]) },
  );
  expect(problems).toEqual([]);
});

test('a deadline that a process computes says closing or nothing', () => {
  const input = { item: 'stock-1', user: 'anna', holidays: ['open'] };
  const computed = "\"${input.holidays.map(each, { each: 'P3D', 'in': 'desk', 'at': 'noon' })[0]}\"";
  expect(differing(fileOf(loan(computed)), '[]', input)).toEqual([
    expect.stringContaining('at gives "noon", expected closing'),
  ]);
});

test('a deadline takes as many more closed days as a calendar may have', () => {
  const file = fileOf(loan('{ open: P3D, in: desk, closed: "${input.holidays}" }'));
  const input = { item: 'stock-1', user: 'anna', holidays: ['0001-01-01..9999-12-31'] };
  expect(differing(file, '[]', input)).toEqual([
    expect.stringMatching('closed gives 3652059 days, expected at most 1000'),
  ]);
});

test('a deadline that its calendar never reaches is said before the service books', () => {
  const input = { item: 'stock-1', user: 'anna' };
  expect(differing(fileOf(loan('{ open: P3700D, in: desk }')), '[]', input)).toEqual([
    expect.stringMatching('pickUp: it gives "P3700D", which desk does not reach'),
  ]);
});
