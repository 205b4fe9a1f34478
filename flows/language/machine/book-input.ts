// The input of `src: book`: its deadlines that are counted by a calendar of the file stand beside the plain durations, which the
// operation checks.

import { LONGEST_WAIT_MS } from '../../../contract/flows/longest-wait.ts';
import {
  type Calendar,
  type CalendarLength,
  calendarLength,
  closedOn,
  countClosed,
  dateLater,
  MOST_CLOSED_DAYS,
} from '../calendar.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { isMap, type Json, type JsonObject, mapOf } from '../flow-file.ts';
import { closes, openLater } from '../opening-hours.ts';
import type { Calendars, MachineRuntime } from './machine-runtime.ts';

/** By which calendar the duration of a deadline is counted. */
interface CalendarRule {
  readonly count: 'open' | 'date';
  /** On the day that is reached. */
  readonly at?: 'closing';
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

/** Epoch milliseconds; undefined for a stage that no calendar counts, or where it does not open often enough. */
export function deadlineBy(
  { rules, calendars }: CalendarDeadlines,
  stage: string,
  { since, duration }: { readonly since: number; readonly duration: string },
): number | undefined {
  const rule = rules[stage];
  const calendar = rule && calendars[rule.in];
  const length = calendarLength(duration);
  if (!rule || !calendar || !length) return undefined;
  return countedBy(rule, calendar, since, length);
}

function countedBy(
  { count, at, closed }: Omit<CalendarRule, 'in'>,
  calendar: Calendar,
  since: number,
  length: CalendarLength,
): number | undefined {
  const own = closed ? closedOn(calendar, closed) : calendar;
  const reached = count === 'open' ? openLater(own, since, length) : dateLater(own, since, length);
  return at === 'closing' && reached !== undefined ? closes(own, reached) : reached;
}

/** A deadline that is written as a map. */
interface CountedDeadline {
  readonly role: string;
  readonly stage: string;
  readonly given: JsonObject;
}

/** The deadlines that a calendar counts. */
export const countedDeadlines = (deadlines: Json | undefined): CountedDeadline[] =>
  Object.entries(mapOf(deadlines)).flatMap(([role, stages]) =>
    Object.entries(mapOf(stages)).flatMap(([stage, given]) => (isMap(given) ? [{ role, stage, given }] : [])),
  );

/** The input with something else in place of each deadline that a calendar counts. */
function withDeadlines(input: JsonObject, instead: (deadline: CountedDeadline) => Json): JsonObject {
  const deadlines: Record<string, Json> = { ...mapOf(input.deadlines) };
  const counted = countedDeadlines(input.deadlines);
  for (const each of counted)
    deadlines[each.role] = { ...mapOf(deadlines[each.role]), [each.stage]: instead(each) };
  return counted.length === 0 ? input : { ...input, deadlines };
}

/** As the operation knows them: durations. */
export const withPlainDeadlines = (input: JsonObject): JsonObject =>
  withDeadlines(input, ({ given: { open, date } }) => open ?? date ?? null);

/** Throws an ExpressionFailure where a deadline names no calendar, or no duration. */
export function withCalendarDeadlines(input: Json, path: string, runtime: MachineRuntime): Json {
  if (!isMap(input)) return input;
  const rules: Record<string, CalendarRule> = {};
  const plain = withDeadlines(input, ({ given, role, stage }) => {
    const { duration, rule } = ruleOf(given, `${path}.deadlines.${role}.${stage}`, runtime);
    rules[`${role}.${stage}`] = rule;
    return duration;
  });
  const named = [...new Set(Object.values(rules).map((rule) => rule.in))];
  if (named.length === 0) return input;
  const calendars = Object.fromEntries(named.map((name) => [name, runtime.calendars[name] as Calendar]));
  const byCalendar: CalendarDeadlines = { rules, calendars };
  return { ...plain, byCalendar } as unknown as Json;
}

function ruleOf(
  given: JsonObject,
  path: string,
  runtime: MachineRuntime,
): { duration: string; rule: CalendarRule } {
  const read = readRule(given, runtime);
  if (typeof read !== 'string') return read;
  throw runtime.failed(new ExpressionFailure({ code: 'DelayInvalid', path, reason: read }));
}

/** In words what is wrong with it. */
function readRule(
  { open, date, at, in: name, closed = [] }: JsonObject,
  { calendars, now }: Pick<MachineRuntime, 'calendars' | 'now'>,
): { readonly duration: string; readonly rule: CalendarRule } | string {
  if ((open === undefined) === (date === undefined))
    return 'it gives open and date, or neither, expected one of the two';
  const duration = open ?? date;
  const length = calendarLength(duration);
  if (!length || length.months > 0)
    return `it gives ${JSON.stringify(duration)}, expected a duration such as P3D, without months`;
  if (at !== undefined && at !== 'closing') return `at gives ${JSON.stringify(at)}, expected closing`;
  const calendar = typeof name === 'string' && Object.hasOwn(calendars, name) && calendars[name];
  if (!calendar)
    return `it is counted in ${JSON.stringify(name)}, expected a calendar of the file: ${Object.keys(calendars).join(', ') || 'there is none'}`;
  const more = readClosed(closed);
  if (typeof more === 'string') return more;
  const count = open === undefined ? 'date' : 'open';
  const own: Omit<CalendarRule, 'in'> = {
    count,
    ...(at === 'closing' && { at }),
    ...(more.length > 0 && { closed: more }),
  };
  const until = countedBy(own, calendar, now(), length);
  if (until === undefined || until - now() > LONGEST_WAIT_MS)
    return `it gives ${JSON.stringify(duration)}, which ${String(name)} does not reach: it opens too seldom, or it is too long`;
  return { duration: String(duration), rule: { ...own, in: String(name) } };
}

/** The days, or in words what is wrong with them. */
function readClosed(closed: Json): readonly string[] | string {
  const counts = Array.isArray(closed) ? (closed as Json[]).map(countClosed) : [null];
  if (counts.includes(null))
    return `closed gives ${JSON.stringify(closed)?.slice(0, 100)}, expected a list of days such as 2026-12-24, of each year as 12-25, or as 2026-12-24..2027-01-02`;
  const days = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  if (days > MOST_CLOSED_DAYS) return `closed gives ${days} days, expected at most ${MOST_CLOSED_DAYS}`;
  return closed as readonly string[];
}
