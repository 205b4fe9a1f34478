// The chart's delayed events as Temporal timers, each in a separate scope, so that it can be cancelled.
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Inbox, OpenTimer, Timer } from './inbox.ts';
import type { AnyActor, LocalActor } from './scope.ts';

/** An id is unique within one actor. */
const keyOf = (from: readonly string[], id: string): string => [...from, id].join('\n');

export class Timers {
  readonly #inbox: Inbox;
  readonly #shield: () => CancellationScope;
  readonly #armed = new Map<string, Timer>();

  constructor(inbox: Inbox, shield: () => CancellationScope) {
    this.#inbox = inbox;
    this.#shield = shield;
  }

  /** The timers that a continued run starts again. */
  get open(): OpenTimer[] {
    return [...this.#armed.values()].map(({ scope: _, target: __, ...open }) => open);
  }

  /** For a delayed event that has no id. */
  freeId({ path }: LocalActor, wanted: string): string {
    let id = wanted;
    for (let count = 2; this.#armed.has(keyOf(path, id)); count++) id = `${wanted} ${count}`;
    return id;
  }

  arm(open: OpenTimer, target: AnyActor): void {
    const key = keyOf(open.from ?? [], open.id);
    this.#cancel(key);
    const timer: Timer = {
      ...open,
      target,
      scope: new CancellationScope({ cancellable: true, parent: this.#shield() }),
    };
    this.#armed.set(key, timer);
    // A sleep of 0 would not wait at all; a timer that is due still comes after the entries in the inbox.
    const delay = Math.max(1, open.dueAt - Date.now());
    void timer.scope
      .run(() => sleep(delay, { summary: open.summary }))
      .then(() => this.#inbox.push({ kind: 'timer', timer }), ignoreCancellation);
  }

  cancel({ path }: LocalActor, id: string): void {
    this.#cancel(keyOf(path, id));
  }

  cancelAllOf({ path }: LocalActor): void {
    for (const [key, { from = [] }] of this.#armed)
      if (from.join('\n') === path.join('\n')) this.#cancel(key);
  }

  #cancel(key: string): void {
    this.#armed.get(key)?.scope.cancel();
    this.#armed.delete(key);
  }

  /** Whether this timer is still the one with its id: the chart must not get a stale one. */
  take(timer: Timer): boolean {
    const key = keyOf(timer.from ?? [], timer.id);
    if (this.#armed.get(key) !== timer) return false;
    return this.#armed.delete(key);
  }
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
