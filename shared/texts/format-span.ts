// How long something lasts, for people.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** `most` of each unit make one of the next larger unit. */
const units = [
  { size: 24 * HOUR_MS, name: 'd', most: Number.POSITIVE_INFINITY },
  { size: HOUR_MS, name: 'h', most: 24 },
  { size: MINUTE_MS, name: 'min', most: 60 },
  { size: 1_000, name: 's', most: 60 },
];

/** Like 45 s, 12 min, 3 h 20 min, 2 d 4 h. */
export const formatSpan = (ms: number): string =>
  largestUnits(ms)
    .filter(({ count }, index) => index === 0 || (count > 0 && ms >= HOUR_MS))
    .map(({ count, name }) => `${count} ${name}`)
    .join(' ');

/** Two; below a minute one. */
function largestUnits(ms: number): { count: number; name: string }[] {
  const from = units.findIndex(({ size }) => ms >= size);
  const parts = from < 0 ? units.slice(-1) : units.slice(from, from + 2);
  return parts.map(({ size, name, most }) => ({ name, count: Math.floor(ms / size) % most }));
}
