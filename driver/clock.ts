// The clock of a process: the one place where the driver arms a timer. By default it is Temporal's own. A clock that can
// be moved keeps its timers as data; Temporal has one timer for the first of them.
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

export interface Alarm {
  cancel(): void;
}

export interface Clock {
  /** Calls `ring` at the moment (epoch milliseconds), unless it is cancelled before. */
  at(dueAt: number, summary: string, ring: () => void): Alarm;
  /** True as soon as the condition holds, false at the moment. Rejects when its scope is cancelled. */
  until(isMet: () => boolean, dueAt: number, summary: string): Promise<boolean>;
}

export class RealClock implements Clock {
  readonly #shield: () => CancellationScope;

  /** @param shield the scope that a cancellation of the workflow does not reach */
  constructor(shield: () => CancellationScope) {
    this.#shield = shield;
  }

  at(dueAt: number, summary: string, ring: () => void): Alarm {
    const scope = new CancellationScope({ cancellable: true, parent: this.#shield() });
    // A sleep of 0 would not wait at all; a timer that is due still comes after the entries in the inbox.
    const delay = Math.max(1, dueAt - Date.now());
    void scope.run(() => sleep(delay, { summary })).then(ring, ignoreCancellation);
    return scope;
  }

  until(isMet: () => boolean, dueAt: number, summary: string): Promise<boolean> {
    return condition(isMet, dueAt - Date.now(), { summary });
  }
}

interface Due {
  readonly dueAt: number;
  readonly summary: string;
  readonly ring: () => void;
}

/** The next thing that is due by a clock. */
export interface NextDue {
  readonly timer: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

// In one task of the workflow: Temporal stops a task that takes two seconds. The caller of a move sees how far it came.
const MOST_AT_ONCE = 100;

/**
 * It is some time ahead of the real one, and can be moved further ahead. All code of its workflow goes by it: there,
 * `Date` shows its time. Whatever moves it is in the history, so that a replay has the same times.
 */
export class MovableClock implements Clock {
  #aheadMs: number;
  /** In the order of time; of one moment, in the order in which they were armed. */
  #due: Due[] = [];
  #wake: { readonly realDueAt: number; readonly scope: CancellationScope } | null = null;
  readonly #realNow: () => number;
  #onDue = (): void => undefined;

  constructor(aheadMs: number) {
    this.#aheadMs = aheadMs;
    this.#realNow = Date.now;
    showInDate(() => this.#aheadMs);
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  get next(): NextDue | null {
    const [first] = this.#due;
    return first ? { timer: first.summary, dueAt: first.dueAt } : null;
  }

  /** Called when something may be due because real time has passed: then the process lets it pass. */
  whenDue(tell: () => void): void {
    this.#onDue = tell;
  }

  at(dueAt: number, summary: string, ring: () => void): Alarm {
    const due: Due = { dueAt, summary, ring };
    const later = this.#due.findIndex((each) => each.dueAt > dueAt);
    this.#due.splice(later < 0 ? this.#due.length : later, 0, due);
    this.#wakeForFirst();
    return { cancel: () => this.#drop(due) };
  }

  async until(isMet: () => boolean, dueAt: number, summary: string): Promise<boolean> {
    let isPast = false;
    const alarm = this.at(dueAt, summary, () => {
      isPast = true;
    });
    try {
      await condition(() => isPast || isMet());
    } finally {
      alarm.cancel();
    }
    return isMet();
  }

  /**
   * Moves to so far ahead of the real time, or lets real time pass if it is there already. What is due on the way rings in
   * its order, and each at its own time: the caller carries out what one has rung before it asks for the next.
   */
  *passing(aheadMs: number): Generator<void> {
    const goal = Math.max(aheadMs, this.#aheadMs);
    for (let rung = 0; rung < MOST_AT_ONCE; rung++) {
      const [first] = this.#due;
      if (!first || first.dueAt > this.#realNow() + goal) {
        this.#aheadMs = goal;
        break;
      }
      this.#aheadMs = Math.max(this.#aheadMs, first.dueAt - this.#realNow());
      this.#drop(first);
      first.ring();
      yield;
    }
    this.#wakeForFirst();
  }

  #drop(due: Due): void {
    this.#due = this.#due.filter((each) => each !== due);
    this.#wakeForFirst();
  }

  #wakeForFirst(): void {
    const [first] = this.#due;
    const realDueAt = first && first.dueAt - this.#aheadMs;
    if (this.#wake?.realDueAt === realDueAt) return;
    this.#wake?.scope.cancel();
    this.#wake = null;
    if (!first || realDueAt === undefined) return;
    const scope = new CancellationScope({ cancellable: true, parent: shield() });
    const wake = { realDueAt, scope };
    this.#wake = wake;
    const delay = Math.max(1, realDueAt - this.#realNow());
    void scope
      .run(() => sleep(delay, { summary: first.summary }))
      .then(() => {
        if (this.#wake === wake) this.#wake = null;
        this.#onDue();
      }, ignoreCancellation);
  }
}

/** A cancellation of the workflow does not reach what is in it. */
const shield = (): CancellationScope => new CancellationScope({ cancellable: false });

/** `Date` is the workflow's own: Temporal gives each workflow one that shows the time of its history. */
function showInDate(aheadMs: () => number): void {
  const real = globalThis.Date;
  const now = (): number => real.now() + aheadMs();
  const shown = function shownDate(...given: readonly unknown[]): Date {
    return Reflect.construct(real, given.length > 0 ? given : [now()]);
  };
  globalThis.Date = Object.assign(shown, {
    now,
    parse: real.parse,
    UTC: real.UTC,
    prototype: real.prototype,
  }) as unknown as DateConstructor;
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
