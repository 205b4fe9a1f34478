// The doors that a request opened: nobody stands before them, so each falls shut after a while. A door at which somebody does
// something stays open.

export class FallingShut {
  /** Undefined: never. */
  readonly #afterMs: number | undefined;
  readonly #shut: (lockerUid: string) => void;
  /** By lockerUid. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(afterMs: number | undefined, shut: (lockerUid: string) => void) {
    this.#afterMs = afterMs;
    this.#shut = shut;
  }

  /** @param isAlone asked when its time has come */
  opened(lockerUid: string, isAlone: () => boolean): void {
    if (this.#afterMs === undefined) return;
    this.keepOpen(lockerUid);
    const fall = () => {
      this.#timers.delete(lockerUid);
      if (isAlone()) this.#shut(lockerUid);
    };
    this.#timers.set(lockerUid, setTimeout(fall, this.#afterMs));
  }

  keepOpen(lockerUid: string): void {
    clearTimeout(this.#timers.get(lockerUid));
    this.#timers.delete(lockerUid);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
