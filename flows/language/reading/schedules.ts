// Checks the calendars of a file.
import type { CalendarData, FlowFile } from '../flow-file.ts';

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
