// Checks when the schedules of a file start processes: a cron expression of five fields. It is stricter than Temporal's own
// reading, which takes what follows a # for a comment, and never asks about a day of the month and a day of the week together.
import { WEEKDAYS } from '../calendar.ts';

interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const fields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: MONTHS },
  { name: 'day of the week', least: 0, most: 7, words: WEEKDAYS },
];

/** As in `MON#1`, the first Monday of the month. */
const NTH = /^([A-Z]+|[0-7])#([1-5])$/i;

interface CronProblem {
  readonly wrong: string;
  readonly expected: string;
}

/** What is wrong with a cron expression; undefined if nothing is. */
export function cronProblem(text: string): CronProblem | undefined {
  const parts = partsOf(text);
  if (parts.length !== fields.length)
    return {
      wrong: parts.length === 1 ? '1 field' : `${parts.length} fields`,
      expected: fields.map(({ name }) => name).join(', '),
    };
  const [, , day = '*', , weekday = '*'] = parts;
  const [, nth] = NTH.exec(weekday) ?? [];
  const wrong = fields.flatMap((field, index) => {
    const given = index === 4 && nth !== undefined ? nth : (parts[index] ?? '');
    return given
      .split(',')
      .filter((part) => !isPart(part, field))
      .map((part) => ({ wrong: `${part} as the ${field.name}`, expected: expectedOf(field) }));
  });
  if (wrong.length === 0 && day !== '*' && weekday !== '*')
    return {
      wrong: 'a day of the month together with a day of the week',
      expected: 'MON#1 for the first Monday of the month, or two schedules',
    };
  return wrong[0];
}

function expectedOf({ least, most, words }: CronField): string {
  const also = words ? `, ${words.slice(0, 2).join(', ')} …` : '';
  const nth = words === WEEKDAYS ? ', MON#1 for the first Monday of the month' : '';
  return `${least} to ${most}${also}, *, a range such as ${least}-${least + 4}, or a step such as */5${nth}`;
}

function isPart(part: string, field: CronField): boolean {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((end) => numberIn(end, field));
  const [from = Number.NaN, to = from] = ends;
  return ends.length <= 2 && from >= field.least && to <= field.most && from <= to;
}

function numberIn(text: string, { words = [], least }: CronField): number {
  const word = words.indexOf(text.toUpperCase());
  if (word >= 0) return least + word;
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

const partsOf = (cron: string): string[] => cron.trim().split(/\s+/);

/** The same for Temporal, for which a day must fit the month and the week: the first Monday is one of the first seven days. */
export function temporalCron(cron: string): string {
  const [minute, hour, day, month, weekday = '*'] = partsOf(cron);
  const [, name, nth] = NTH.exec(weekday) ?? [];
  if (name === undefined) return [minute, hour, day, month, weekday].join(' ');
  const last = Number(nth) * 7;
  return [minute, hour, `${last - 6}-${Math.min(last, 31)}`, month, name].join(' ');
}
