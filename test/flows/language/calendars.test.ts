// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// The calendars of a flow file: working hours, local times and dates, held against Intl, which they do not use when they run.
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  type Calendar,
  calendarFunctions,
  calendarsOf,
} from '../../../flows/language/expressions/calendars.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { fractions } from '../../support/random.ts';
import { bySuite, freshSeed } from '../../support/suite.ts';

const names = { builtIn: [], published: [], connectors: null };
const textWith = (calendars: unknown, entry = '${context.at}') =>
  stringify({
    name: 'Open',
    meaning: 'Waits until the desk opens.',
    calendars,
    context: { at: entry },
    initial: 'over',
    states: { over: { type: 'final' } },
    output: '${context.at}',
  });

function calendarOf(given: object): Calendar {
  const { file, findings } = readFlowFile(textWith({ desk: given }, 'x'), names);
  expect(findings).toEqual([]);
  return calendarsOf(file as NonNullable<typeof file>).desk as Calendar;
}

const called = (name: string, ...args: readonly unknown[]): unknown => {
  const [, run] =
    Object.entries(calendarFunctions).find(([signature]) => signature.startsWith(`${name}(`)) ?? [];
  return (run as (...given: readonly unknown[]) => unknown)(...args);
};

const desk = { zone: 'Europe/Amsterdam', hours: { 'MON-FRI': '08:00-17:00' }, closed: ['2026-12-25'] };

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
  ['2026-01-16T20:00:00Z', 'P1D', '2026-01-20T07:00:00.000Z'],
  ['2026-01-16T10:00:00Z', 'P1D', '2026-01-19T10:00:00.000Z'],
  ['2026-01-12T10:00:00Z', 'P1W', '2026-01-21T10:00:00.000Z'],
  ['2026-01-12T10:00:00Z', 'P1DT1H', '2026-01-13T11:00:00.000Z'],
  // Over the Friday that is Christmas, and the weekend after it.
  ['2026-12-24T15:30:00Z', 'PT1H', '2026-12-28T07:30:00.000Z'],
  // Over the night in which the clocks change: nine local hours later is still nine hours of work.
  ['2026-03-27T15:00:00Z', 'PT2H', '2026-03-30T07:00:00.000Z'],
])('workLater(%s, %s) is %s', (at, by, expected) => {
  expect(called('workLater', at, by, calendarOf(desk))).toBe(expected);
});

test('hours of which the clocks skip the beginning are not open before they begin', () => {
  const night = calendarOf({ zone: 'Europe/Amsterdam', hours: { 'MON-SUN': '02:15-03:00' } });
  // On the 29th the clocks go from 02:00 to 03:00: the desk does not open at all.
  expect(called('workLater', '2026-03-28T23:30:00Z', 'PT10M', night)).toBe('2026-03-30T00:25:00.000Z');
});

test.each([
  ['2026-01-31T10:00:00Z', 'P1M', '2026-02-28T10:00:00.000Z'],
  ['2026-02-28T10:00:00Z', 'P1Y', '2027-02-28T10:00:00.000Z'],
  ['2028-02-29T10:00:00Z', 'P1Y', '2029-02-28T10:00:00.000Z'],
  // Nine in the morning stays nine in the morning.
  ['2026-03-28T08:00:00Z', 'P1D', '2026-03-29T07:00:00.000Z'],
  ['2026-03-28T08:00:00Z', 'P1M', '2026-04-28T07:00:00.000Z'],
  // 02:30 does not exist on that day; the clocks go on as if it did.
  ['2026-03-28T01:30:00Z', 'P1D', '2026-03-29T01:30:00.000Z'],
  // 02:30 comes twice.
  ['2026-10-24T00:30:00Z', 'P1D', '2026-10-25T00:30:00.000Z'],
  ['2026-12-24T10:00:00Z', 'P1MT2H', '2027-01-24T12:00:00.000Z'],
])('dateLater(%s, %s) is %s', (at, by, expected) => {
  expect(called('dateLater', at, by, calendarOf(desk))).toBe(expected);
});

describe.each([
  'Europe/Amsterdam',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
  'Africa/Casablanca',
])('in the zone %s', (zone) => {
  const calendar = calendarOf({
    zone,
    hours: { 'MON-THU': ['08:30-12:00', '13:00-17:15'], 'SAT-SUN': '00:00-24:00' },
  });
  const random = fractions(freshSeed);
  const instants = Array.from({ length: bySuite({ short: 60, long: 300 }) }, () => {
    const ms =
      Date.UTC(2024, 0, 1) +
      Math.floor(random() * 20 * 365) * 86_400_000 +
      Math.floor(random() * 1_440) * 60_000;
    return new Date(ms).toISOString();
  });
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const shown = (at: string) =>
    Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));

  test('clocks show what Intl says', () => {
    for (const at of instants) {
      const { year, month, day, hour, minute, weekday } = shown(at);
      expect(called('localTime', at, calendar)).toMatchObject({
        date: `${year}-${month}-${day}`,
        time: `${hour}:${minute}`,
        weekday: weekday?.toUpperCase(),
        hour: Number(hour),
      });
    }
  });

  const isOpen = (at: string): boolean => {
    const { weekday, hour, minute } = shown(at);
    const time = `${hour}:${minute}`;
    if (weekday === 'Sat' || weekday === 'Sun') return true;
    return weekday !== 'Fri' && ((time >= '08:30' && time < '12:00') || (time >= '13:00' && time < '17:15'));
  };

  test('it is open when its hours say so', () => {
    for (const at of instants) expect([at, called('isOpen', at, calendar)]).toEqual([at, isOpen(at)]);
  });

  test('working time is counted as one would minute by minute', () => {
    for (const at of instants.slice(0, bySuite({ short: 3, long: 12 }))) {
      const minutes = 1 + Math.floor(random() * 1_500);
      let [ms, left] = [Date.parse(at), minutes];
      for (; left > 0; ms += 60_000) if (isOpen(new Date(ms).toISOString())) left--;
      expect([at, minutes, called('workLater', at, `PT${minutes}M`, calendar)]).toEqual([
        ...[at, minutes],
        new Date(ms).toISOString(),
      ]);
    }
  });
});

test.each([
  [{ zone: 'Europe/Amsterdm' }, 'TypeWrong', 'a time zone such as Europe/Amsterdam'],
  [{ hours: { MON: '08:00-17:00' } }, 'FieldMissing', undefined],
  [
    { zone: 'UTC', hours: { MO: '08:00-17:00' } },
    'ValueWrong',
    'MON to SUN, or a range of them such as MON-FRI',
  ],
  [
    { zone: 'UTC', hours: { MON: '17:00-08:00' } },
    'ValueWrong',
    'hours such as 08:00-17:00, up to 24:00, or a list of them',
  ],
  [
    { zone: 'UTC', hours: { MON: '8-17' } },
    'ValueWrong',
    'hours such as 08:00-17:00, up to 24:00, or a list of them',
  ],
  [
    { zone: 'UTC', hours: { 'MON-FRI': '08:00-17:00', WED: '16:00-18:00' } },
    'ValueWrong',
    'hours of a day that do not overlap',
  ],
  [{ zone: 'UTC', closed: ['2026-02-30'] }, 'ValueWrong', 'a list of days such as 2026-12-25'],
  [{ zone: 'UTC', open: true }, 'FieldUnknown', 'one of zone, hours, closed, offsets, description'],
])('the calendar %j is refused as %s', (calendar, code, expected) => {
  const { findings } = readFlowFile(textWith({ desk: calendar }), names);
  expect(findings.map((each) => [each.code, each.expected])).toContainEqual([code, expected]);
});

test('what cannot be counted is said, with what was expected', () => {
  const closed = calendarOf({ zone: 'UTC', hours: {} });
  expect(() => called('workLater', '2026-01-12T09:00:00Z', 'PT1H', closed)).toThrow('no open hours');
  expect(() => called('workLater', '2026-01-12T09:00:00Z', 'P1M', calendarOf(desk))).toThrow(
    '"P1M" is not a duration here',
  );
  expect(() => called('workLater', '2026-01-12T09:00:00Z', 'P9000D', calendarOf(desk))).toThrow(
    'expected fewer',
  );
  expect(() => called('isOpen', 'today', calendarOf(desk))).toThrow('"today" is not an instant');
  expect(() => called('isOpen', '2026-01-12T09:00:00Z', { zone: 'UTC' })).toThrow('calendars.desk');
});

test('the file that is read again is the same: publishing it is no new version', () => {
  const { file } = readFlowFile(textWith({ desk }, 'x'), names);
  const again = readFlowFile(JSON.stringify(file), names);
  expect(again.findings).toEqual([]);
  expect(again.file).toEqual(file);
});
