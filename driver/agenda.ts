// What is due by a clock that does not run by itself, in the order of time; of one moment, in the order in which it was added.
export interface Due {
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly summary: string;
  readonly ring: () => void;
}

export class Agenda {
  /** The next one is the last: it is taken off without moving the others. */
  readonly #dues: Due[] = [];
  readonly #dropped = new WeakSet<Due>();

  get next(): Due | undefined {
    for (let last = this.#dues.at(-1); last && this.#dropped.has(last); last = this.#dues.at(-1))
      this.#dues.pop();
    return this.#dues.at(-1);
  }

  add(due: Due): Due {
    let [from, to] = [0, this.#dues.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#dues[middle] as Due).dueAt > due.dueAt) from = middle + 1;
      else to = middle;
    }
    this.#dues.splice(from, 0, due);
    return due;
  }

  drop(due: Due): void {
    this.#dropped.add(due);
  }
}
