// The end of one call's patience: its time-out or its caller's signal, whichever comes first.

export class CallLimit implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  readonly #onOuterAbort = () => this.#stop('Aborted');
  readonly timeoutMs: number;
  #stoppedBy: 'TimedOut' | 'Aborted' | undefined;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.timeoutMs = timeoutMs;
    this.#outer = outer;
    this.#timer = setTimeout(() => this.#stop('TimedOut'), timeoutMs);
    if (outer?.aborted) this.#stop('Aborted');
    else outer?.addEventListener('abort', this.#onOuterAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stoppedBy(): 'TimedOut' | 'Aborted' | undefined {
    return this.#stoppedBy;
  }

  /** The promise's outcome, or a rejection as soon as the limit is reached; the promise itself goes on. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this;
    let onAbort = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      onAbort = () => reject(new CallLimitReached());
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
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
  }

  #stop(by: 'TimedOut' | 'Aborted'): void {
    this.#stoppedBy ??= by;
    this.#controller.abort();
  }
}

export class CallLimitReached extends Error {
  override readonly name = 'CallLimitReached';
}
