// Durations as people write them, "3 days" or "1 day 12 hours", and as flows take them (ISO 8601).

const units = [
  ['week', 'W'],
  ['day', 'D'],
  ['hour', 'H'],
  ['minute', 'M'],
  ['second', 'S'],
] as const;

/** As the flows take it. */
const ISO =
  /^P(?=.*[1-9])(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;
const WORDS =
  /^(?=.*[1-9])(?:(\d{1,6}) ?w(?:eeks?)?)? ?(?:(\d{1,6}) ?d(?:ays?)?)? ?(?:(\d{1,6}) ?h(?:ours?)?)? ?(?:(\d{1,6}) ?m(?:in(?:utes?)?)?)? ?(?:(\d{1,6}) ?s(?:ec(?:onds?)?)?)?$/i;

/** Undefined: it is none. */
export function durationIn(text: string): string | undefined {
  const typed = text.trim().replaceAll(/\s+/g, ' ');
  if (ISO.test(typed)) return typed;
  const counts = WORDS.exec(typed)?.slice(1);
  if (!counts) return undefined;
  const parts = units.map(([, letter], index) => (counts[index] ? `${Number(counts[index])}${letter}` : ''));
  const time = parts.slice(2).join('');
  return `P${parts.slice(0, 2).join('')}${time && `T${time}`}`;
}

/** "3 days"; what is no duration of ours stays as it is. */
export function formatDuration(text: string): string {
  const counts = ISO.exec(text)?.slice(1);
  const words = units.flatMap(([name], index) => {
    const count = Number(counts?.[index] ?? 0);
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return words.length === 0 ? text : words.join(' ');
}
