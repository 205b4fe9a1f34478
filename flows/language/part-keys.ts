// Which of many processes are parts of others among them, by their keys alone: a process that another one starts has the key of that
// one before its own. A key that somebody has chosen may look like one: who takes a command is asked of the processes.

/** By the key of each that may have some. */
export function partsAmong(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = new Set(keys);
  const parts = new Map<string, string[]>();
  for (const key of all)
    for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) {
      const whole = key.slice(0, at);
      if (all.has(whole)) parts.set(whole, [...(parts.get(whole) ?? []), key]);
    }
  return parts;
}

/** The part of the whole that is the process itself, or has started it; undefined: it is none of these. */
export const partWith = (key: string, keys: readonly string[], whole: string): string | undefined =>
  keys.find((each) => `${key}/`.startsWith(`${each}/`) && each.startsWith(`${whole}/`));
