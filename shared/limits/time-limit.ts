// The end of a wait: after its time, or when a given signal is aborted, whichever comes first. Not AbortSignal.any over
// AbortSignal.timeout: Node may collect the parts of such a signal as garbage, and then it never fires (nodejs/node
// issues 57736 and 65995).

export class TimeLimit implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #outer: readonly AbortSignal[];
  readonly #onOuterAbort = () => this.#stop('Aborted');
  readonly milliseconds: number;
  #stoppedBy: 'TimedOut' | 'Aborted' | undefined;

  /** Infinity for no time. */
  constructor(milliseconds: number, ...outer: readonly AbortSignal[]) {
    this.milliseconds = milliseconds;
    this.#outer = outer;
    this.#timer = Number.isFinite(milliseconds)
      ? setTimeout(() => this.#stop('TimedOut'), milliseconds)
      : undefined;
    for (const signal of outer) signal.addEventListener('abort', this.#onOuterAbort, { once: true });
    if (outer.some((signal) => signal.aborted)) this.#stop('Aborted');
  }

  /** Its reason is a TimeoutError or an AbortError, as with the signals of the platform. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stoppedBy(): 'TimedOut' | 'Aborted' | undefined {
    return this.#stoppedBy;
  }

  /** The promise's outcome, or a rejection when the limit is reached; the promise itself continues. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this;
    let onAbort = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      onAbort = () => reject(new TimeLimitReached());
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([promise, stopped]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const signal of this.#outer) signal.removeEventListener('abort', this.#onOuterAbort);
  }

  #stop(by: 'TimedOut' | 'Aborted'): void {
    if (this.#stoppedBy) return;
    this.#stoppedBy = by;
    const name = by === 'TimedOut' ? 'TimeoutError' : 'AbortError';
    this.#controller.abort(new DOMException('The limit of a wait was reached', name));
  }
}

export class TimeLimitReached extends Error {
  override readonly name = 'TimeLimitReached';
}
