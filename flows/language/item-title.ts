// What people call an item of an `each` (its `title`), behind the text of what is done with it: as Temporal's names have it, from
// which the history takes it again.

/** As long as a title of a state. */
const LONGEST = 60;
const BETWEEN = ', for ';

/** What an expression gave; undefined: nothing that people would read. */
export function titleOfItem(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const title = String(value).replaceAll(/\s+/g, ' ').trim();
  return title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}…` : title || undefined;
}

/** @param item as text in Markdown where the whole is that */
export const titled = (words: string, item: string | undefined): string =>
  item === undefined ? words : `${words}${BETWEEN}${item}`;

export function titleIn(words: string): string | undefined {
  const at = words.indexOf(BETWEEN);
  return at < 0 ? undefined : words.slice(at + BETWEEN.length).replaceAll('`', '');
}
