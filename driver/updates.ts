// Updates between their arrival and their answer. Each is answered exactly once: by the chart, or because it ended.
import { ApplicationFailure } from '@temporalio/workflow';

interface Waiting {
  answer(value: unknown): void;
  refuse(failure: ApplicationFailure): void;
}

/** Type of the failure if an update is not possible in the present state of the process. */
export const NOT_POSSIBLE_NOW = 'NotPossibleNow';

export class Updates {
  readonly #waiting = new Map<string, Waiting>();

  get areOpen(): boolean {
    return this.#waiting.size > 0;
  }

  wait(updateId: string): Promise<unknown> {
    return new Promise((answer, refuse) => this.#waiting.set(updateId, { answer, refuse }));
  }

  answer(updateId: string, value: unknown): void {
    this.#waiting.get(updateId)?.answer(value);
    this.#waiting.delete(updateId);
  }

  refuse(updateId: string, code: string, message: string): void {
    this.#waiting.get(updateId)?.refuse(ApplicationFailure.nonRetryable(message, code));
    this.#waiting.delete(updateId);
  }

  refuseAll(message: string): void {
    for (const updateId of [...this.#waiting.keys()]) this.refuse(updateId, NOT_POSSIBLE_NOW, message);
  }
}
