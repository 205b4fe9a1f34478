// What stands for a text in the page's catalogue: the page has each text once already, where it is said.

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Five letters tell a thousand texts apart; with more of them the page would be larger. */
const CODES = 36 ** 5;

/** FNV-1a; that no two texts have the same code is checked when the page is built. */
export function shortCode(code: string): string {
  let hash = FNV_OFFSET;
  for (let index = 0; index < code.length; index += 1)
    hash = Math.imul(hash ^ code.charCodeAt(index), FNV_PRIME);
  return ((hash >>> 0) % CODES).toString(36);
}

/** Throws where two texts would be taken for one. */
export function shortened(catalogue: Readonly<Record<string, string>>): Record<string, string> {
  const short: Record<string, string> = {};
  for (const [code, text] of Object.entries(catalogue)) {
    const key = shortCode(code);
    if (Object.hasOwn(short, key)) throw new Error(`two texts of the page are ${key}: “${code}” is one`);
    short[key] = text;
  }
  return short;
}
