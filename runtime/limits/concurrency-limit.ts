// So many at once, the rest in their order.

export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  async run<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await act();
    } finally {
      // Its place goes to the next one.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
