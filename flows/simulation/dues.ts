// What is still to come in a play, each at its time.

interface Due {
  readonly at: number;
  /** Its place in history: of one moment, what came first is taken first. */
  readonly number: number;
  take(): void;
}

export class Dues {
  readonly #all: Due[] = [];

  add(due: Due): void {
    // Nearly all come in their order, and there are as many as a history has.
    const before = this.#all.findLastIndex(
      ({ at, number }) => at < due.at || (at === due.at && number < due.number),
    );
    this.#all.splice(before + 1, 0, due);
  }

  get next(): Due | undefined {
    return this.#all[0];
  }

  /** Takes the next one. */
  take(): void {
    this.#all.shift()?.take();
  }
}
