// Checks the schedules and calendars of a file.
import type { CalendarData, FlowFile } from '../flow-file.ts';

interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const cronFields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: months },
  { name: 'day of the week', least: 0, most: 7, words: days },
];

/** What is wrong with a cron expression; undefined if nothing is. */
export function cronProblem(text: string): { readonly wrong: string; readonly expected: string } | undefined {
  const given = text.trim().split(/\s+/);
  if (given.length !== cronFields.length)
    return {
      wrong: `it has ${given.length === 1 ? '1 field' : `${given.length} fields`}`,
      expected: cronFields.map(({ name }) => name).join(', '),
    };
  for (const [index, field] of cronFields.entries()) {
    const wrong = given[index]?.split(',').find((part) => !isPart(part, field));
    if (wrong !== undefined) {
      const { name, least, most, words } = field;
      const also = words ? `, or ${words.slice(0, 2).join(', ')} …` : '';
      const expected = `${least} to ${most}${also}, *, a range such as ${least}-${least + 4}, or a step such as */5`;
      return { wrong: `${wrong} is no ${name}`, expected };
    }
  }
  return undefined;
}

function isPart(part: string, field: CronField): boolean {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((each) => numberIn(each, field));
  const [from = Number.NaN, to = from] = ends;
  return ends.length <= 2 && from >= field.least && to <= field.most && from <= to;
}

function numberIn(text: string, { words = [], least }: CronField): number {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return least + word;
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

/** By the names of the IANA, such as Europe/Amsterdam. */
export function isZone(text: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '' &&
      !/^[+-]/.test(text)
    );
  } catch {
    return false;
  }
}

/** For times beyond them, the last offset before holds. */
const FIRST = Date.UTC(2020, 0, 1);
const LAST = Date.UTC(2060, 0, 1);
const MINUTE = 60_000;
/** No zone changes its clocks twice within it. */
const STEP = 14 * 86_400_000;

type Offsets = NonNullable<CalendarData['offsets']>;

/** The same for each reading with the same knowledge of zones, so that an unchanged file is no new version. */
function offsetsOf(zone: string): Offsets {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const aheadAt = (ms: number): number => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = 0, minutes = 0] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  const offsets: [number, number][] = [[FIRST / MINUTE, aheadAt(FIRST)]];
  for (let [at, ahead] = [FIRST, aheadAt(FIRST)]; at < LAST; at += STEP) {
    const next = aheadAt(at + STEP);
    if (next === ahead) continue;
    let [same, other] = [at, at + STEP];
    while (other - same > MINUTE) {
      const middle = same + Math.floor((other - same) / 2 / MINUTE) * MINUTE;
      if (aheadAt(middle) === ahead) same = middle;
      else other = middle;
    }
    offsets.push([other / MINUTE, next]);
    ahead = next;
  }
  return offsets;
}

export function withOffsets(file: FlowFile): FlowFile {
  const { calendars } = file;
  if (!calendars) return file;
  const zones = new Set(Object.values(calendars).map(({ zone }) => zone));
  const offsets = new Map([...zones].map((zone) => [zone, offsetsOf(zone)]));
  const filled = Object.entries(calendars).map(([name, calendar]) => [
    name,
    { ...calendar, offsets: offsets.get(calendar.zone) },
  ]);
  return { ...file, calendars: Object.fromEntries(filled) };
}

export function isDate(given: unknown): boolean {
  if (typeof given !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(given)) return false;
  const at = new Date(`${given}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(given);
}
