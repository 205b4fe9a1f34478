// Numbers that look random and are the same at every run: mulberry32.

/** Below what it is given. */
export type Random = (below: number) => number;

/** Whole numbers from 0 to 4,294,967,295. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** From 0 to below 1. */
export function fractions(seed: number): () => number {
  const next = sequence(seed);
  return () => next() / 2 ** 32;
}

/** Whole numbers from 0. */
export function numbers(seed: number): Random {
  const next = sequence(seed);
  return (below) => next() % below;
}
