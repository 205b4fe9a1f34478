// Moments: as people type them, in the time zone of their terminal, and as tables show them.
import { isDate } from '../flows/language/duration.ts';
import { wrongUse } from '../shared/terminal/exit-codes.ts';

const SPAN = /^(\d{1,5})\s?(min|m|h|d|w)$/;
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:([T ])(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

const MINUTE_MS = 60_000;
const spans: Readonly<Record<string, number>> = {
  min: MINUTE_MS,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
};

const PAST = '22:00, 8h, 30min, 2026-11-27, "2026-11-27 22:00" or 2026-11-27T22:00:00Z';
const AHEAD = '22:00, "2026-11-27 22:00" or 2026-11-27T22:00:00Z';

/** One that has passed: 22:00 is the latest 22:00. Throws CommandFailed (wrong use). */
export const momentIn = (text: string, option: string, now = new Date()): Date =>
  spanBefore(text, now) ?? clockIn(text, now, 'latest') ?? isoIn(text) ?? noMoment(text, option, PAST);

/** The same, but 2026-11-27 and 2026-11-27T22:00 are UTC, as scripts write them for a search. */
export const searchedMomentIn = (text: string, option: string, now = new Date()): Date =>
  spanBefore(text, now) ?? clockIn(text, now, 'latest') ?? isoIn(text, 'Z') ?? noMoment(text, option, PAST);

/** One to come: 22:00 is the next 22:00. A day alone could end with its first minute, or with its last. Throws as `momentIn` does. */
export const endIn = (text: string, option: string, now = new Date()): Date =>
  clockIn(text, now, 'next') ?? (isDate(text) ? undefined : isoIn(text)) ?? noMoment(text, option, AHEAD);

function noMoment(text: string, option: string, forms: string): never {
  throw wrongUse(`${option} ${text} is not a moment; expected one like ${forms}`);
}

function spanBefore(text: string, now: Date): Date | undefined {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  const ms = spans[unit];
  return ms === undefined ? undefined : new Date(now.getTime() - Number(count) * ms);
}

function clockIn(text: string, now: Date, which: 'latest' | 'next'): Date | undefined {
  const [, hour, minute] = CLOCK.exec(text) ?? [];
  if (hour === undefined) return undefined;
  const at = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, Number(hour), Number(minute));
  const today = at(0);
  if (which === 'latest') return today <= now ? today : at(-1);
  return today > now ? today : at(1);
}

/** @param zone of what names none: that of the terminal, unless it is given; a blank between day and time is how `log` prints it */
function isoIn(text: string, zone = ''): Date | undefined {
  const [, day, separator, time = '00:00', offset] = ISO_8601.exec(text) ?? [];
  // Date would take 31 February for a day in March.
  if (!isDate(day)) return undefined;
  const at = new Date(`${day}T${time}${offset ?? (separator === ' ' ? '' : zone)}`.toUpperCase());
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** To the minute, in the time of the terminal. */
export function formatMoment(instant: string): string {
  const at = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Such as Europe/Amsterdam. */
export const zoneOfTerminal = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** As our texts write instants: 2031-05-01T12:00:00.000Z. */
export const INSTANTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A text for people, its instants to the minute, in the time of the terminal. */
export const inTimeOfTerminal = (text: string): string => text.replaceAll(INSTANTS, formatMoment);

/** An instant of ISO 8601 to the second, without its zone; empty for none. */
export const utc = (instant: string | null | undefined): string =>
  instant?.slice(0, 19).replace('T', ' ') ?? '';

/** The same to the minute. */
export const utcMinute = (instant: string): string => instant.slice(0, 16).replace('T', ' ');
