// The chart's delayed events, as timers of the process's clock.
import type { LocalActor } from './actions.ts';
import type { Clock } from './clock.ts';
import type { Inbox, OpenTimer, Timer } from './inbox.ts';
import type { AnyActor } from './xstate-internals.ts';

/** An id is unique within one actor. */
const keyOf = (from: readonly string[], id: string): string => [...from, id].join('\n');

export class Timers {
  readonly #inbox: Inbox;
  readonly #clock: Clock;
  readonly #armed = new Map<string, Timer>();

  constructor(inbox: Inbox, clock: Clock) {
    this.#inbox = inbox;
    this.#clock = clock;
  }

  /** The timers that a continued run starts again. */
  get open(): OpenTimer[] {
    return [...this.#armed.values()].map(({ alarm: _, target: __, ...open }) => open);
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
      alarm: this.#clock.at(open.dueAt, open.summary, () => this.#inbox.push({ kind: 'timer', timer })),
    };
    this.#armed.set(key, timer);
  }

  cancel({ path }: LocalActor, id: string): void {
    this.#cancel(keyOf(path, id));
  }

  cancelAllOf({ path }: LocalActor): void {
    for (const [key, { from = [] }] of this.#armed)
      if (from.join('\n') === path.join('\n')) this.#cancel(key);
  }

  #cancel(key: string): void {
    this.#armed.get(key)?.alarm.cancel();
    this.#armed.delete(key);
  }

  /** Whether this timer is still the one with its id: the chart must not get a stale one. */
  take(timer: Timer): boolean {
    const key = keyOf(timer.from ?? [], timer.id);
    if (this.#armed.get(key) !== timer) return false;
    return this.#armed.delete(key);
  }
}
