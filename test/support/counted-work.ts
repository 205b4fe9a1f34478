// Counts the work of code in steps: how often V8 runs each block of it. The count is the same on every machine, however busy
// that machine is. What V8 does within one call of its own (a search in a text, a RegExp) is one step.
import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Counts in code that is imported after this has begun: import the code under test with `await import(…)`. */
export class CountedWork implements Disposable {
  readonly #session = new Session();

  constructor() {
    // Optimized code does not count the calls of a function.
    for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  stepsOf(work: () => unknown): number {
    this.#taken();
    work();
    return this.#taken();
  }

  [Symbol.dispose](): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  /** The steps since it was last called. */
  #taken(): number {
    let steps = 0;
    // A session on its own thread answers before `post` returns.
    this.#session.post('Profiler.takePreciseCoverage', (error, given) => {
      if (error) throw error;
      for (const { functions } of (given as unknown as Coverage).result)
        for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    });
    return steps;
  }
}
