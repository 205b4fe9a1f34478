// Durations and instants, as files and messages have them.

const pattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const milliseconds = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/** Null if the text is not a duration, or its length is zero. */
export function durationMs(text: unknown): number | null {
  const length = lengthMs(text);
  return length === 0 ? null : length;
}

/** Also of `P0D`, which is no time. Null if the text is not a duration. */
export function lengthMs(text: unknown): number | null {
  const parts = typeof text === 'string' ? pattern.exec(text) : null;
  if (!parts || text === 'P') return null;
  const total = milliseconds.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0);
  return Number.isFinite(total) ? total : null;
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970; null if the text is not an instant with an offset, or its day does not exist. */
export function instantMs(text: unknown): number | null {
  if (typeof text !== 'string' || !instantPattern.test(text)) return null;
  // Date.parse would take 30 February for a day in March.
  if (!isDate(text.slice(0, 10))) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** A day that there is, such as `2026-12-24`. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = Date.parse(value);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

export const instantText = (ms: number): string => new Date(ms).toISOString();

export function moment(text: unknown): number {
  const at = instantMs(text);
  if (at === null)
    throw new TypeError(
      `${JSON.stringify(text)} is not an instant; expected one like "2026-11-21T12:00:00Z"`,
    );
  return at;
}

export function duration(text: unknown): number {
  const length = lengthMs(text);
  if (length === null)
    throw new TypeError(`${JSON.stringify(text)} is not a duration; expected one like "P2D" or "PT30M"`);
  return length;
}
