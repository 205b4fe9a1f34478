// Messages for other processes: one activity at a time passes them on in batches.
import type { CancellationScope } from '@temporalio/workflow';
import type { ActivityCall } from './actors/activity-call.ts';
import { callActivity } from './invokes.ts';

export class HandOver {
  readonly #call: ActivityCall<readonly unknown[]> | null;
  readonly #shield: () => CancellationScope;
  #waiting: unknown[] = [];
  #running: Promise<void> | null = null;

  constructor(call: ActivityCall<readonly unknown[]> | null, shield: () => CancellationScope) {
    this.#call = call;
    this.#shield = shield;
  }

  get isIdle(): boolean {
    return this.#running === null && this.#waiting.length === 0;
  }

  add(payload: unknown): void {
    if (!this.#call) throw new TypeError('the chart emitted notOurs, but its definition has no handOver');
    this.#waiting.push(payload);
  }

  /** Passes the waiting messages on, unless a batch is under way: then they go with the next one. */
  start(): void {
    if (!this.#running && this.#waiting.length > 0) this.#running = this.#shield().run(() => this.#deliver());
  }

  async finished(): Promise<void> {
    while (!this.isIdle) {
      this.start();
      await this.#running;
    }
  }

  async #deliver(): Promise<void> {
    const messages = this.#waiting;
    this.#waiting = [];
    if (this.#call) await callActivity(this.#call, messages);
    this.#running = null;
    this.start();
  }
}
