// Moments: as people type them, in the time zone of their terminal (22:00 is the latest 22:00), and as tables show them.
import { isDate } from '../flows/language/duration.ts';
import { wrongUse } from '../shared/terminal/exit-codes.ts';

const SPAN = /^(\d{1,5})\s?(min|h|d|w)$/;
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/;
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const MINUTE_MS = 60_000;
const spans: Readonly<Record<string, number>> = {
  min: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
};

/** Throws CommandFailed (wrong use). */
export function momentIn(text: string, option: string, now = new Date()): Date {
  const found = spanBefore(text, now) ?? lastClock(text, now) ?? dayIn(text) ?? withOffset(text);
  if (found) return found;
  throw wrongUse(
    `${option} ${text} is not a moment; expected one like 22:00, 8h, 2026-11-27, "2026-11-27 22:00" or 2026-11-27T22:00:00Z`,
  );
}

function spanBefore(text: string, now: Date): Date | undefined {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  const ms = spans[unit];
  return ms === undefined ? undefined : new Date(now.getTime() - Number(count) * ms);
}

function lastClock(text: string, now: Date): Date | undefined {
  const [, hour, minute] = CLOCK.exec(text) ?? [];
  if (hour === undefined) return undefined;
  const at = (daysAgo: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, Number(hour), Number(minute));
  return at(0) <= now ? at(0) : at(1);
}

function dayIn(text: string): Date | undefined {
  const found = DAY.exec(text);
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const at = new Date(year, month - 1, day, hour, minute, second);
  // 31 February would be a day in March.
  return at.getMonth() === month - 1 && at.getDate() === day ? at : undefined;
}

function withOffset(text: string): Date | undefined {
  const at = new Date(WITH_OFFSET.test(text) && isDate(text.slice(0, 10)) ? text : Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** To the minute, in the time of the terminal. */
export function formatMoment(instant: string): string {
  const at = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** An instant of ISO 8601 to the second, without its zone; empty for none. */
export const utc = (instant: string | null | undefined): string =>
  instant?.slice(0, 19).replace('T', ' ') ?? '';

/** The same to the minute. */
export const utcMinute = (instant: string): string => instant.slice(0, 16).replace('T', ' ');
