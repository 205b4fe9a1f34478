// What the account search looks through, packed: some 20 texts in one block, with a signature that tells of most blocks that
// they do not have what is searched for. Pure: the process that reads an uploaded file uses it too.

/** Bits of a signature, as its column has. The 400 different parts of a usual block set a tenth to a fifth of them. */
const BITS = 2_048;
/** Characters after which a block is full: longer ones have fuller signatures, which tell less. */
const BLOCK_CHARACTERS = 1_200;
const BLANK = 32;

/** A set of parts, as Postgres reads a bit(2048). */
type Signature = string;

export interface SearchEntry<Key> {
  readonly key: Key;
  /** As searchTextOf gives it, or account_search_text (the SQL function) does. */
  readonly text: string;
}

export interface SearchBlock<Key> {
  readonly keys: readonly Key[];
  /** A line for each key. */
  readonly text: string;
  readonly signature: Signature;
}

const isAscii = /^[\x20-\x7f]*$/;
const accents = /[\u0300-\u036f]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII but letters and figures
const neitherLetterNorFigure = /[\u0001-\u002f\u003a-\u0060\u007b-\u007f]+/g;

/** In small letters without accents, one blank for whatever is neither letter nor figure, and a blank before the first word. */
export function searchTextOf(texts: readonly (string | null)[]): string {
  const given = texts.filter((text) => text).join(' ');
  // Most texts have no accents, and a file has 100,000 of them.
  const letters = isAscii.test(given) ? given : given.normalize('NFKD').replace(accents, '');
  const words = letters.toLowerCase().replace(neitherLetterNorFigure, ' ');
  return ` ${words.trim()}`;
}

/**
 * What to look for in those texts. A text of one or two characters finds beginnings of words, a longer one any part.
 * Undefined: it has neither letter nor figure.
 */
export function searchedText(searchText: string): string | undefined {
  const text = searchTextOf([searchText]);
  if (text === ' ') return undefined;
  return [...text].length > 3 ? text.slice(1) : text;
}

/** The bits of all parts of three characters, and of all first characters of words with the blank before them. */
export function signatureOf(texts: readonly string[]): Signature {
  const bits = Buffer.alloc(BITS / 8);
  for (const text of texts) {
    for (let at = 1; at < text.length; at += 1) {
      const [before, last] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
      if (before === BLANK) setBit(bits, before * 31 + last);
      if (at >= 2) setBit(bits, (text.charCodeAt(at - 2) * 31 + before) * 31 + last);
    }
  }
  return `x${bits.toString('hex')}`;
}

function setBit(bits: Uint8Array, part: number): void {
  // Multiplied, so that parts of alike letters get bits far apart; the upper 11 bits of the product.
  const bit = Math.imul(part, 0x9e3779b1) >>> 21;
  bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (128 >> (bit & 7));
}

export function packed<Key>(entries: Iterable<SearchEntry<Key>>): SearchBlock<Key>[] {
  const blocks: SearchBlock<Key>[] = [];
  let keys: Key[] = [];
  let texts: string[] = [];
  let characters = 0;
  const close = () => {
    if (keys.length > 0) blocks.push({ keys, text: texts.join('\n'), signature: signatureOf(texts) });
    keys = [];
    texts = [];
    characters = 0;
  };
  for (const { key, text } of entries) {
    keys.push(key);
    texts.push(text);
    characters += text.length;
    if (characters >= BLOCK_CHARACTERS) close();
  }
  close();
  return blocks;
}
