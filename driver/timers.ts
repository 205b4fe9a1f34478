// The chart's delayed events as Temporal timers, each in a scope of its own so that it can be cancelled.
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { Inbox } from './inbox.ts';

export interface OpenTimer {
  readonly id: string;
  readonly event: EventObject;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly summary: string;
}

export interface Timer extends OpenTimer {
  readonly scope: CancellationScope;
}

export class Timers {
  readonly #inbox: Inbox;
  readonly #armed = new Map<string, Timer>();

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
  }

  /** What a continued run arms again. */
  get open(): OpenTimer[] {
    return [...this.#armed.values()].map(({ id, event, dueAt, summary }) => ({ id, event, dueAt, summary }));
  }

  arm(open: OpenTimer): void {
    this.cancel(open.id);
    const timer: Timer = { ...open, scope: new CancellationScope() };
    this.#armed.set(open.id, timer);
    // A sleep of 0 would be none; what is due already still comes after what is in the inbox.
    const delay = Math.max(1, open.dueAt - Date.now());
    void timer.scope
      .run(() => sleep(delay, { summary: open.summary }))
      .then(() => this.#inbox.push({ kind: 'timer', timer }), ignoreCancellation);
  }

  cancel(id: string): void {
    this.#armed.get(id)?.scope.cancel();
    this.#armed.delete(id);
  }

  /** Whether this very timer is still the one armed under its id: a stale one must not be fed. */
  take(timer: Timer): boolean {
    if (this.#armed.get(timer.id) !== timer) return false;
    return this.#armed.delete(timer.id);
  }
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
