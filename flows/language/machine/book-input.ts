// The input of `src: book`: its deadlines that are counted by a calendar of the file stand beside the plain durations, which the
// operation checks.
import { type Calendar, calendarLength, closedOn, dateLater, openLater } from '../calendar.ts';
import { isDate } from '../expressions/calendar-functions.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { isMap, type Json, type JsonObject } from '../flow-file.ts';
import type { Calendars, Kit } from './kit.ts';

/** By which calendar the duration of a deadline is counted. */
export interface CalendarRule {
  readonly count: 'open' | 'date';
  /** The name of the calendar. */
  readonly in: string;
  /** More days on which it is closed. */
  readonly closed?: readonly string[];
}

/** What a booking gets beside its durations; absent without such deadlines. */
export interface CalendarDeadlines {
  /** By leg and stage, such as `issue.pickUp`. */
  readonly rules: Readonly<Record<string, CalendarRule>>;
  /** Those that the rules name. */
  readonly calendars: Calendars;
}

/** Epoch milliseconds; undefined for a stage that no calendar counts. */
export function deadlineBy(
  { rules, calendars }: CalendarDeadlines,
  stage: string,
  { since, duration }: { readonly since: number; readonly duration: string },
): number | undefined {
  const rule = rules[stage];
  const calendar = rule && calendars[rule.in];
  const length = calendarLength(duration);
  if (!rule || !calendar || !length) return undefined;
  const own: Calendar = rule.closed ? closedOn(calendar, rule.closed) : calendar;
  return rule.count === 'open' ? openLater(own, since, length) : dateLater(own, since, length);
}

/** The input with something else in place of each deadline that a calendar counts. */
function withDeadlines(
  input: JsonObject,
  instead: (given: JsonObject, role: string, stage: string) => Json,
): JsonObject {
  const { deadlines } = input;
  if (!isMap(deadlines)) return input;
  const each = (stages: JsonObject, role: string) =>
    Object.entries(stages).map(([stage, given]) => [
      stage,
      isMap(given) ? instead(given, role, stage) : given,
    ]);
  const changed = Object.entries(deadlines).map(([role, stages]) => [
    role,
    isMap(stages) ? Object.fromEntries(each(stages, role)) : stages,
  ]);
  return { ...input, deadlines: Object.fromEntries(changed) };
}

/** As the operation knows them: durations. */
export const withPlainDeadlines = (input: JsonObject): JsonObject =>
  withDeadlines(input, ({ open, date }) => open ?? date ?? null);

/** Throws an ExpressionFailure where a deadline names no calendar, or no duration. */
export function withCalendarDeadlines(input: Json, path: string, kit: Kit): Json {
  if (!isMap(input)) return input;
  const rules: Record<string, CalendarRule> = {};
  const plain = withDeadlines(input, (given, role, stage) => {
    const { duration, rule } = ruleOf(given, `${path}.deadlines.${role}.${stage}`, kit);
    rules[`${role}.${stage}`] = rule;
    return duration;
  });
  const named = [...new Set(Object.values(rules).map((rule) => rule.in))];
  if (named.length === 0) return input;
  const calendars = Object.fromEntries(named.map((name) => [name, kit.calendars[name] as Calendar]));
  const byCalendar: CalendarDeadlines = { rules, calendars };
  return { ...plain, byCalendar } as unknown as Json;
}

function ruleOf(given: JsonObject, path: string, kit: Kit): { duration: string; rule: CalendarRule } {
  const problem = deadlineProblem(given, kit.calendars);
  if (problem !== undefined)
    throw kit.failed(new ExpressionFailure({ code: 'DelayInvalid', path, reason: problem }));
  const {
    open,
    date,
    in: name,
    closed,
  } = given as unknown as { open?: string; date?: string; in: string } & Pick<CalendarRule, 'closed'>;
  return {
    duration: (open ?? date) as string,
    rule: { count: open === undefined ? 'date' : 'open', in: name, ...(closed && { closed }) },
  };
}

/** In words; undefined if nothing is wrong. */
function deadlineProblem(
  { open, date, in: name, closed = [] }: JsonObject,
  calendars: Calendars,
): string | undefined {
  if ((open === undefined) === (date === undefined))
    return 'it gives open and date, or neither, expected one of the two';
  const length = calendarLength(open ?? date);
  if (!length || length.months > 0)
    return `it gives ${JSON.stringify(open ?? date)}, expected a duration such as P3D, without months`;
  if (typeof name !== 'string' || !Object.hasOwn(calendars, name))
    return `it is counted in ${JSON.stringify(name)}, expected a calendar of the file: ${Object.keys(calendars).join(', ') || 'there is none'}`;
  if (!Array.isArray(closed) || !closed.every(isDate))
    return `closed gives ${JSON.stringify(closed)?.slice(0, 100)}, expected a list of days such as 2026-12-24`;
  return undefined;
}
