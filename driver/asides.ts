// Activities that the chart starts as actions, and does not wait for. The process ends after them.
import { type CancellationScope, log } from '@temporalio/workflow';
import type { ActivityCall } from './actors/activity-call.ts';
import { callActivity } from './invokes.ts';

export class Asides {
  readonly #running = new Set<Promise<void>>();
  readonly #shield: () => CancellationScope;

  constructor(shield: () => CancellationScope) {
    this.#shield = shield;
  }

  get areOpen(): boolean {
    return this.#running.size > 0;
  }

  start(call: ActivityCall<unknown>, input: unknown): void {
    const running = this.#shield()
      .run(() => callActivity(call, input))
      .then(
        () => undefined,
        // The chart gets no event for it: a chart that needs the result must invoke the activity.
        (error: unknown) => log.warn(`the activity ${call.activity} failed`, { error: String(error) }),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async finished(): Promise<void> {
    while (this.areOpen) await Promise.all(this.#running);
  }
}
