// What a played process does with each event, as far as it decides anything, by the names of the version that the process ran on.
import { leavesOf } from '../../engine/chart/messages.ts';
import type { Process } from '../../engine/process.ts';
import type { Json } from '../language/flow-file.ts';
import { errorView } from '../language/machine/machine-runtime.ts';
import type { FormerNames } from './former-names.ts';
import type { Started } from './made-calls.ts';

export interface PlayedStep {
  readonly at: number;
  readonly event: string;
  readonly states: readonly string[];
  readonly starts: readonly Started[];
  readonly emits: readonly Json[];
  /** The code of the failure at which it halted. */
  readonly halted?: string;
  readonly ended?: PlayedEnd;
}

export interface PlayedEnd {
  readonly status: 'done' | 'failed' | 'cancelled';
  readonly output?: Json;
  readonly code?: string;
}

export class PlayedSteps {
  readonly #names: FormerNames;
  readonly #all: PlayedStep[] = [];
  #starts: Started[] = [];
  #emits: Json[] = [];
  #states: readonly string[] = [];

  constructor(names: FormerNames) {
    this.#names = names;
  }

  get all(): readonly PlayedStep[] {
    return this.#all;
  }

  starts({ id, src, input }: Started): void {
    this.#starts.push({ id, src, input });
  }

  emits(emitted: Json): void {
    this.#emits.push(emitted);
  }

  /** Its first step has failed: it does not begin. */
  failAtStart(at: number, code: string): void {
    this.#push({ at, event: 'start', states: [], ended: { status: 'failed', code } });
  }

  take(at: number, type: string, process: Process): void {
    const now = this.#placeOf(process);
    const isSame = JSON.stringify(now.states) === JSON.stringify(this.#states);
    // An event that changes nothing is nobody's decision.
    if (isSame && now.halted === undefined && this.#starts.length + this.#emits.length === 0) return;
    this.#push({ at, event: this.#names.event(type), ...now });
  }

  end(at: number, process: Process): void {
    if (this.#all.at(-1)?.ended) return;
    this.#push({ at, event: 'end', ...this.#placeOf(process), ended: endOf(process) });
  }

  #placeOf({ snapshot, halt }: Process): Pick<PlayedStep, 'states' | 'halted'> {
    const states = leavesOf(snapshot.value)
      .map((path) => this.#names.state(path))
      .sort();
    return { states, ...(halt && { halted: halt.code }) };
  }

  #push(step: Omit<PlayedStep, 'starts' | 'emits'>): void {
    this.#states = step.states;
    this.#all.push({ ...step, starts: this.#starts, emits: this.#emits });
    this.#starts = [];
    this.#emits = [];
  }
}

function endOf({ closing }: Process): PlayedEnd {
  switch (closing.kind) {
    case 'result':
      return { status: 'done', output: (closing.result ?? null) as Json };
    case 'cancelled':
      return { status: 'cancelled' };
    case 'failed':
      return { status: 'failed', code: closing.code };
    case 'unhandled':
      return { status: 'failed', code: errorView(closing.error).code };
  }
}
