// The clock, the agenda and the trace of one simulation. Nothing happens but what is on the agenda; each entry is one step, and
// all that it causes at once (promises included) is over before the next step.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Random } from './random.ts';

/** A program that can be killed: what it has begun never answers after that. */
export interface Program {
  readonly name: string;
  isAlive: boolean;
}

export interface Due {
  readonly at: number;
  readonly order: number;
  readonly what: string;
  /** The program that it happens in. */
  readonly program: Program | null;
  readonly run: () => void;
  isDropped: boolean;
}

export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: string;

  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`);
    this.invariant = invariant;
  }
}

/** Any moment does; the same one for all seeds, so that traces can be compared. */
export const BEGIN = Date.UTC(2031, 0, 6, 8);

/** Runs all microtasks that wait, now. Node has it for itself; it is what makes a step synchronous. */
export const runMicrotasks = (process as unknown as { _tickCallback(): void })._tickCallback;

const running = new AsyncLocalStorage<Program>();

export class Simulator {
  now = BEGIN;
  /** The number of the last step. */
  steps = 0;
  readonly random: Random;
  readonly #agenda: Due[] = [];
  readonly #trace: TraceLine[] | null;
  #order = 0;
  #digest = 0x811c9dc5;
  #violation: unknown = null;
  #afterEach: () => void = () => undefined;

  constructor(seed: string, { keepsTrace = false } = {}) {
    this.random = new Random(seed);
    this.#trace = keepsTrace ? [] : null;
  }

  /** Of everything that was noted: two runs of one seed have the same. */
  get digest(): string {
    return this.#digest.toString(16).padStart(8, '0');
  }

  get trace(): readonly TraceLine[] {
    return this.#trace ?? [];
  }

  get hasFailed(): boolean {
    return this.#violation !== null;
  }

  /** Called after each step: the place of the invariants. */
  afterEach(check: () => void): void {
    this.#afterEach = check;
  }

  /** For a person who reads the trace. */
  note(words: string): void {
    const line = `${this.now - BEGIN} ${words}`;
    let digest = this.#digest;
    for (let index = 0; index < line.length; index++)
      digest = Math.imul(digest ^ line.charCodeAt(index), 0x01000193);
    this.#digest = digest >>> 0;
    this.#trace?.push({ step: this.steps, at: this.now, words });
  }

  /** The run ends with this step. The first one counts. */
  fail(violation: unknown): void {
    this.#violation ??= violation;
  }

  in(delayMs: number, what: string, run: () => void, program: Program | null = null): Due {
    return this.at(this.now + Math.max(0, delayMs), what, run, program);
  }

  at(moment: number, what: string, run: () => void, program: Program | null = null): Due {
    this.#order += 1;
    // Whole milliseconds, as Date.now() tells them.
    const at = Math.max(Math.ceil(moment), this.now);
    const due: Due = { at, order: this.#order, what, program, run, isDropped: false };
    push(this.#agenda, due);
    return due;
  }

  drop(due: Due): void {
    due.isDropped = true;
  }

  /** The program in which the present code runs. */
  get program(): Program | null {
    return running.getStore() ?? null;
  }

  within<Result>(program: Program, run: () => Result): Result {
    return running.run(program, run);
  }

  /** Until the moment, the step, or a violation. Gives the violation, or null. It must not be called from a microtask. */
  run({
    until = Number.POSITIVE_INFINITY,
    toStep = Number.POSITIVE_INFINITY,
    isOver = () => false,
  }): unknown {
    while (this.#violation === null && this.steps < toStep && !isOver()) {
      const next = this.#agenda[0];
      if (!next || next.at > until) {
        if (Number.isFinite(until)) this.now = until;
        break;
      }
      pop(this.#agenda);
      if (next.isDropped || next.program?.isAlive === false) continue;
      this.now = next.at;
      this.steps += 1;
      this.#step(next);
    }
    return this.#violation;
  }

  #step({ run, program }: Due): void {
    try {
      if (program) running.run(program, run);
      else run();
      runMicrotasks();
      this.#afterEach();
    } catch (error) {
      this.fail(error);
    }
  }
}

export interface TraceLine {
  readonly step: number;
  readonly at: number;
  readonly words: string;
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap. */
function push(heap: Due[], due: Due): void {
  let index = heap.length;
  heap.push(due);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent] as Due;
    if (!isBefore(due, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = due;
}

function pop(heap: Due[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && isBefore(heap[right] as Due, heap[left] as Due) ? right : left;
    const below = heap[child] as Due;
    if (!isBefore(below, last)) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
}
