// What a flood repeats is told at once, and then once a minute with how often it was: it must not fill a log.

const LOG_EVERY_MS = 60_000;

/** Tells at most once a minute for each key, with how often it was since it was told last, this time included. */
export class ThrottledLog<Key> {
  readonly #suppressed = new Map<Key, { readonly count: number; readonly loggedAt: number }>();

  log(key: Key, write: (count: number) => void): void {
    const now = performance.now();
    const { count, loggedAt } = this.#suppressed.get(key) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
    const isDue = now - loggedAt >= LOG_EVERY_MS;
    this.#suppressed.set(key, isDue ? { count: 0, loggedAt: now } : { count: count + 1, loggedAt });
    if (isDue) write(count + 1);
  }
}
