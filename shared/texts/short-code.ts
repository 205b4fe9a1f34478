// What stands for a text in the page's catalogue: the page has each text once already, where it is said.
import type { Catalogue } from './text.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** They tell a thousand texts apart; with more of them the page would be larger. */
const LETTERS = 4;
const LEAST = 36 ** (LETTERS - 1);
const CODES = 36 ** LETTERS - LEAST;

/** FNV-1a; that no two texts have the same code is checked when the page is built. */
export function shortCode(code: string): string {
  let hash = FNV_OFFSET;
  for (let index = 0; index < code.length; index += 1)
    hash = Math.imul(hash ^ code.charCodeAt(index), FNV_PRIME);
  return (((hash >>> 0) % CODES) + LEAST).toString(36);
}

/** A line for each text, its code first: shorter than JSON. Throws where two texts would be taken for one. */
export function writeShort(catalogue: Catalogue): string {
  const texts = new Map<string, string>();
  for (const [code, text] of Object.entries(catalogue)) {
    const short = shortCode(code);
    if (texts.has(short)) throw new Error(`two texts of the page are ${short}: “${code}” is one`);
    if (text.includes('\n')) throw new Error(`a text of the page has several lines: “${text}”`);
    texts.set(short, text);
  }
  return [...texts].map((line) => line.join('')).join('\n');
}

/** By the short codes. */
export const readShort = (lines: string): Catalogue =>
  Object.fromEntries(lines.split('\n').map((line) => [line.slice(0, LETTERS), line.slice(LETTERS)]));
