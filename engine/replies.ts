// The updates that wait for what the process makes of them: each gets one answer or one refusal.
import type { Refusal } from './command.ts';

/** Called once, when the process has taken the update or cannot. */
export interface Reply {
  answer(value: unknown): void;
  refuse(refusal: Refusal): void;
}

export class Replies {
  readonly #open = new Map<string, Reply>();

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  add(updateId: string, reply: Reply): void {
    this.#open.set(updateId, reply);
  }

  answer(updateId: string, value: unknown): void {
    this.#open.get(updateId)?.answer(value);
    this.#open.delete(updateId);
  }

  refuse(updateId: string, { code, message, details }: Refusal): void {
    this.#open.get(updateId)?.refuse({ code, message, ...(details !== undefined && { details }) });
    this.#open.delete(updateId);
  }

  refuseAll(refusal: Refusal): void {
    for (const updateId of [...this.#open.keys()]) this.refuse(updateId, refusal);
  }
}
