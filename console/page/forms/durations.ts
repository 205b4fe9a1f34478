// Durations as people write them, "3 days" or "1 day 12 hours", and as flows take them (ISO 8601).

import { t } from '../../../shared/texts/text.ts';

const units = [
  { letter: 'W', one: t`week`, many: t`weeks` },
  { letter: 'D', one: t`day`, many: t`days` },
  { letter: 'H', one: t`hour`, many: t`hours` },
  { letter: 'M', one: t`minute`, many: t`minutes` },
  { letter: 'S', one: t`second`, many: t`seconds` },
] as const;

/** As the flows take it. */
const ISO =
  /^P(?=.*[1-9])(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;
/** In every language of the page: nobody has to know which one it has. */
const WORDS =
  /^(?=.*[1-9])(?:(\d{1,6}) ?w(?:e(?:eks?|ken))?)? ?(?:(\d{1,6}) ?d(?:ays?|ag(?:en)?)?)? ?(?:(\d{1,6}) ?(?:h(?:ours?)?|u(?:ur|ren)?))? ?(?:(\d{1,6}) ?m(?:in(?:utes?|uut|uten)?)?)? ?(?:(\d{1,6}) ?s(?:ec(?:onds?|onden?)?)?)?$/i;

/** Undefined: it is none. */
export function durationIn(text: string): string | undefined {
  const typed = text.trim().replaceAll(/\s+/g, ' ');
  if (ISO.test(typed)) return typed;
  const counts = WORDS.exec(typed)?.slice(1);
  if (!counts) return undefined;
  const parts = units.map(({ letter }, index) => (counts[index] ? `${Number(counts[index])}${letter}` : ''));
  const time = parts.slice(2).join('');
  return `P${parts.slice(0, 2).join('')}${time && `T${time}`}`;
}

/** "3 days"; what is no duration of ours stays as it is. */
export function formatDuration(text: string): string {
  const counts = ISO.exec(text)?.slice(1);
  const words = units.flatMap(({ one, many }, index) => {
    const count = Number(counts?.[index] ?? 0);
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return words.length === 0 ? text : words.join(' ');
}
