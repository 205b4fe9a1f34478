// The patterns of text answers: characters and classes with a count, such as `SN-[0-9]{8}`. They are matched in a time that grows
// with the length of the text alone; a regular expression of JavaScript could hang a worker.

interface Part {
  readonly fits: (character: string) => boolean;
  readonly least: number;
  readonly most: number;
}

const PART = /(\[(?:\\.|[^\]\\])+\]|\\.|[^[\]\\(){}|*+?^$])(?:\{(\d{1,4})(?:(,)(\d{1,4})?)?\}|([*+?]))?/gsuy;
const counts: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
};
const MAX_PARTS = 100;

/** Undefined if the text is no such pattern. `^` and `$` may stand around it: the whole text is matched anyway. */
export function textPattern(source: string): ((text: string) => boolean) | undefined {
  const inner = source.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  const parts: Part[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < inner.length) {
    const found = PART.exec(inner);
    const part = found && partOf(found);
    if (!part || parts.push(part) > MAX_PARTS) return undefined;
  }
  return parts.length === 0 ? undefined : (text) => matches(parts, [...text]);
}

function partOf([, atom = '', from, comma, to, sign]: RegExpExecArray): Part | undefined {
  const fits = fitting(atom);
  if (!fits) return undefined;
  if (sign !== undefined) {
    const [least = 1, most = 1] = counts[sign] ?? [];
    return { fits, least, most };
  }
  if (from === undefined) return { fits, least: 1, most: 1 };
  const last = to === undefined ? Number.POSITIVE_INFINITY : Number(to);
  const part = { fits, least: Number(from), most: comma === undefined ? Number(from) : last };
  return part.least <= part.most ? part : undefined;
}

/** A class has one character, so that the engine cannot go back and forth. */
function fitting(atom: string): ((character: string) => boolean) | undefined {
  if (atom === '.') return () => true;
  try {
    const single = new RegExp(`^(?:${atom})$`, 'su');
    return (character) => single.test(character);
  } catch {
    return undefined;
  }
}

/** By all places in the text that the parts so far can have led to. */
function matches(parts: readonly Part[], characters: readonly string[]): boolean {
  let reached: readonly boolean[] = characters.map((_, at) => at === 0).concat(characters.length === 0);
  for (const part of parts) reached = after(part, reached, characters);
  return reached.at(-1) === true;
}

function after(
  { fits, least, most }: Part,
  reached: readonly boolean[],
  characters: readonly string[],
): boolean[] {
  const next = reached.map(() => false);
  // How many places up to each one are reached, so that a range of them is looked up at once.
  let sum = 0;
  const counted = reached.map((is) => {
    sum += Number(is);
    return sum;
  });
  let run = 0;
  for (const at of reached.keys()) {
    if (at > 0) run = fits(characters[at - 1] as string) ? run + 1 : 0;
    const [first, last] = [at - Math.min(run, most), at - least];
    next[at] = last >= first && (counted[last] ?? 0) - (counted[first - 1] ?? 0) > 0;
  }
  return next;
}
