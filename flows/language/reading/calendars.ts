// The calendars of a flow file as they are read: shared ones are filled in, and when the clocks of their zones change is written
// down, so that what a process computes later depends neither on the machine nor on its version of Node. Not for the workflow
// sandbox.
import type { CalendarData, Offsets } from '../calendar.ts';
import type { FlowFile } from '../flow-file.ts';

/** The calendars that the files of a folder share, by name. */
export type SharedCalendars = Readonly<Record<string, CalendarData>>;

/** For times beyond them, the last offset before holds. */
const FIRST = Date.UTC(2020, 0, 1);
const LAST = Date.UTC(2060, 0, 1);
const MINUTE = 60_000;
/** No zone changes its clocks twice within it. */
const STEP = 14 * 86_400_000;

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

export function isZone(given: unknown): boolean {
  // Node takes +01:00 too, which has no clocks that change, and europe/amsterdam: Temporal knows neither.
  if (typeof given !== 'string' || !/^[A-Za-z]/.test(given)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions();
    return timeZone === given || timeZone.toLowerCase() !== given.toLowerCase();
  } catch {
    return false;
  }
}

/** A calendar that is only a text is the shared one of this name. */
export function withCalendars(file: FlowFile, shared: SharedCalendars): FlowFile {
  const { calendars } = file as { readonly calendars?: Readonly<Record<string, CalendarData | string>> };
  if (!calendars) return file;
  const offsets = new Map<string, Offsets>();
  const filled = Object.entries(calendars).map(([name, given]) => {
    const calendar = typeof given === 'string' ? (shared[given] as CalendarData) : given;
    const { zone } = calendar;
    offsets.set(zone, offsets.get(zone) ?? offsetsOf(zone));
    return [name, { ...calendar, offsets: offsets.get(zone) }];
  });
  return { ...file, calendars: Object.fromEntries(filled) };
}

/** The file without what reading has added, to be copied. */
export function asWritten(file: FlowFile): FlowFile {
  const { calendars } = file;
  if (!calendars) return file;
  const written = Object.entries(calendars).map(([name, { offsets: _, ...calendar }]) => [name, calendar]);
  return { ...file, calendars: Object.fromEntries(written) };
}
