// One of the processes that are killed: comes up again after each kill, as whoever supervises it would have it, and
// tells where it ended without having been killed.

/** A process of the component. */
export interface Running {
  /** With what it said last, when it has ended for whatever reason. */
  readonly ended: Promise<string>;
  kill(): Promise<void>;
}

/** What is killed, and is up again after it was away. */
export interface Killable {
  /** What it said each time that it ended without having been killed. */
  readonly endedByItself: readonly string[];
  up(): Promise<void>;
  kill(away: () => Promise<void>): Promise<void>;
}

/** One try to start it. Rejects where it ends before it is up, as it may while another component is away. */
export type StartProcess = () => Promise<Running>;

// Whatever it needs is away for a few seconds at a time: what is not up by then never will be.
export const UP_WITHIN_MS = 120_000;

export class SupervisedProcess implements Killable {
  readonly #start: StartProcess;
  readonly #endedByItself: string[] = [];
  #running: Running | undefined;
  #isOver = false;
  /** Its kills and starts, one after another. */
  #doing: Promise<void> = Promise.resolve();

  constructor(start: StartProcess) {
    this.#start = start;
  }

  get endedByItself(): readonly string[] {
    return this.#endedByItself;
  }

  up(): Promise<void> {
    return this.#inTurn(() => this.#begin());
  }

  kill(away: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#end();
      await away();
      await this.#begin();
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#inTurn(() => this.#end());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#doing.then(work);
    this.#doing = done.catch(() => undefined);
    return done;
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + UP_WITHIN_MS;
    while (!this.#isOver && this.#running === undefined) {
      try {
        this.#watch(await this.#start());
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
    }
  }

  #watch(running: Running): void {
    this.#running = running;
    void running.ended.then((words) => {
      if (this.#running !== running) return;
      this.#endedByItself.push(words);
      this.#running = undefined;
      void this.up().catch((error: unknown) => this.#endedByItself.push(String(error)));
    });
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.kill();
  }
}
