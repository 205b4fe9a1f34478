// What a flood repeats is told at once, and then once a minute with how often it was: it must not fill a log.

const TELL_MS = 60_000;

/** @param tell called at most once a minute for each key, with how often it was since it was told last, this time included */
export function toldSeldom<Key, Told>(
  tell: (told: Told, count: number) => void,
): (key: Key, told: Told) => void {
  const untold = new Map<Key, { readonly count: number; readonly toldAt: number }>();
  return (key, told) => {
    const now = performance.now();
    const { count, toldAt } = untold.get(key) ?? { count: 0, toldAt: Number.NEGATIVE_INFINITY };
    const isTold = now - toldAt >= TELL_MS;
    untold.set(key, isTold ? { count: 0, toldAt: now } : { count: count + 1, toldAt });
    if (isTold) tell(told, count + 1);
  };
}
