// The clock of a process that can be moved, in place of Temporal's own. It keeps its alarms as data; Temporal has one timer for
// the first of them.
import { isCancellation, sleep } from '@temporalio/workflow';
import { Agenda, type Alarm } from '../host.ts';
import { Scope } from './scope.ts';

/** The next thing that is due by a clock. */
interface NextDue {
  readonly timer: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

// In one task of the workflow: Temporal stops a task that takes two seconds. The caller of a move sees how far it came.
const MAX_CONCURRENT = 100;

/**
 * It is some time ahead of the real one, and can be moved further ahead. All code of its workflow goes by it: there,
 * `Date` shows its time. Whatever moves it is in the history, so that a replay has the same times.
 */
export class MovableClock {
  #aheadMs: number;
  readonly #agenda = new Agenda();
  #wake: { readonly realDueAt: number; readonly scope: Scope } | null = null;
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
    const first = this.#agenda.next;
    return first ? { timer: first.summary, dueAt: first.dueAt } : null;
  }

  /** Called when something may be due because real time has passed: then the process lets it pass. */
  whenDue(tell: () => void): void {
    this.#onDue = tell;
  }

  at(dueAt: number, summary: string, ring: () => void): Alarm {
    const due = { dueAt, summary, ring };
    this.#agenda.add(due);
    this.#wakeForFirst();
    const cancel = () => {
      this.#agenda.drop(due);
      this.#wakeForFirst();
    };
    return { cancel };
  }

  /**
   * Moves to so far ahead of the real time, or lets real time pass if it is there already. What is due on the way rings in
   * its order, and each at its own time: the caller carries out what one has rung before it asks for the next.
   */
  *passing(aheadMs: number): Generator<void> {
    const goal = Math.max(aheadMs, this.#aheadMs);
    for (let rung = 0; rung < MAX_CONCURRENT; rung++) {
      const first = this.#agenda.next;
      if (!first || first.dueAt > this.#realNow() + goal) {
        this.#aheadMs = goal;
        break;
      }
      this.#aheadMs = Math.max(this.#aheadMs, first.dueAt - this.#realNow());
      this.#agenda.take();
      this.#wakeForFirst();
      first.ring();
      yield;
    }
    this.#wakeForFirst();
  }

  #wakeForFirst(): void {
    const first = this.#agenda.next;
    const realDueAt = first && first.dueAt - this.#aheadMs;
    if (this.#wake?.realDueAt === realDueAt) return;
    this.#wake?.scope.cancel();
    this.#wake = null;
    if (!first || realDueAt === undefined) return;
    const scope = new Scope();
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

/** Computes something while `Date` shows that moment. Its `now` alone cannot be replaced: Temporal shares it among workflows. */
export function asIf<Result>(moment: number, compute: () => Result): Result {
  const shown = globalThis.Date;
  showInDate(() => moment - shown.now());
  try {
    return compute();
  } finally {
    globalThis.Date = shown;
  }
}

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

export function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
