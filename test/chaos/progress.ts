// How far the flows are, all of them together, in steps: what is planned for a step waits for it here. And for how long
// nothing has befallen them.

export class Progress {
  #steps = 0;
  #isOver = false;
  #befellAt = performance.now();
  #waiting: { readonly step: number; readonly resolve: (isReached: boolean) => void }[] = [];

  get steps(): number {
    return this.#steps;
  }

  /** For how long no process was killed or brought up again, and no way was disturbed, in milliseconds. */
  get quietMs(): number {
    return performance.now() - this.#befellAt;
  }

  /** Something befalls a process or a way now. */
  befall(): void {
    this.#befellAt = performance.now();
  }

  /** One more step was made. */
  make(): void {
    this.#steps += 1;
    this.#tell();
  }

  /** No further step will be made. */
  end(): void {
    this.#isOver = true;
    this.#tell();
  }

  /** False where it will never be reached. */
  reached(step: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push({ step, resolve });
      this.#tell();
    });
  }

  #tell(): void {
    const isDue = ({ step }: { step: number }) => this.#isOver || step <= this.#steps;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((each) => !isDue(each));
    for (const { step, resolve } of due) resolve(step <= this.#steps);
  }
}
