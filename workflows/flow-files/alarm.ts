// The one timer of a workflow that waits for messages, and has something to do by itself at a certain time.
import { CancellationScope, sleep } from '@temporalio/workflow';

/** One timer at a time: to begin another one for each message would cost two events each. */
export class Alarm {
  #dueAt = Number.POSITIVE_INFINITY;
  #scope: CancellationScope | undefined;
  hasRung = false;

  /** @param dueAt milliseconds since 1970; undefined: never */
  set(dueAt: number | undefined): void {
    this.hasRung = false;
    if (dueAt === undefined) return;
    // An earlier one rings in vain, once.
    if (this.#scope && this.#dueAt <= dueAt) return;
    this.#scope?.cancel();
    const scope = new CancellationScope();
    this.#scope = scope;
    this.#dueAt = dueAt;
    void scope
      .run(() => sleep(Math.max(1, dueAt - Date.now())))
      .then(
        () => {
          this.hasRung = true;
          this.#scope = undefined;
        },
        () => undefined,
      );
  }
}
