// The keys of messages that may come twice. It keeps those of the latest messages only, so that a process does not grow
// without end.

const KEPT_KEYS = 1_000;

export class SeenMessages {
  readonly #keys: Set<string>;

  constructor(carried: readonly string[] = []) {
    this.#keys = new Set(carried);
  }

  /** Undefined where there are none. */
  get carried(): readonly string[] | undefined {
    return this.#keys.size > 0 ? [...this.#keys] : undefined;
  }

  isRepeated(key: string | undefined): boolean {
    if (key === undefined) return false;
    if (this.#keys.has(key)) return true;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > KEPT_KEYS && oldest !== undefined) this.#keys.delete(oldest);
    return false;
  }
}
