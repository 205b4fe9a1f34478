// What a flood repeats is told at once, and then once a minute with how often it was: it must not fill a log.

const TELL_MS = 60_000;

/** Tells at most once a minute for each key, with how often it was since it was told last, this time included. */
export class ThrottledLog<Key> {
  readonly #untold = new Map<Key, { readonly count: number; readonly toldAt: number }>();

  tell(key: Key, tell: (count: number) => void): void {
    const now = performance.now();
    const { count, toldAt } = this.#untold.get(key) ?? { count: 0, toldAt: Number.NEGATIVE_INFINITY };
    const isTold = now - toldAt >= TELL_MS;
    this.#untold.set(key, isTold ? { count: 0, toldAt: now } : { count: count + 1, toldAt });
    if (isTold) tell(count + 1);
  }
}
