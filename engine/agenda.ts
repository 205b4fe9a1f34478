// What is due by a clock that does not run by itself, in the order of time; of one moment, in the order in which it was added.
export interface Due {
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly summary: string;
  readonly ring: () => void;
}

export class Agenda {
  /** The next one is the last, so that it is taken off without moving the others. */
  readonly #dues: Due[] = [];

  get next(): Due | undefined {
    return this.#dues.at(-1);
  }

  add(due: Due): void {
    // Before those of the same moment: it comes after them.
    this.#dues.splice(this.#firstNotAfter(due.dueAt), 0, due);
  }

  drop(due: Due): void {
    for (let index = this.#firstNotAfter(due.dueAt); this.#dues[index]?.dueAt === due.dueAt; index++)
      if (this.#dues[index] === due) {
        this.#dues.splice(index, 1);
        return;
      }
  }

  /** Takes the next one off. */
  take(): Due | undefined {
    return this.#dues.pop();
  }

  #firstNotAfter(dueAt: number): number {
    let [from, to] = [0, this.#dues.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#dues[middle] as Due).dueAt > dueAt) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
