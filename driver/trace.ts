// Sends every step of a process to a sink, if the memo asks for it: it takes a tenth of a flow's processor time. Replay
// tests compare the steps, because replay itself compares only commands. Programs that show a history step by step replay
// it WITH_STANDING.
import { proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow';
import type { AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import {
  type ChartView,
  type ChartViewTransition,
  chartView,
  type Position,
  transitionView,
} from './chart/chart-view.ts';
import type { Awaited } from './definition.ts';

export interface TracedStep {
  /** The event's type; `start` and `continued` for how the run began. */
  readonly event: string;
  readonly value: unknown;
  readonly status: string;
  readonly output: unknown;
}

/** A step with where the process stands after it. */
export interface TracedStanding {
  readonly event: string;
  /** The process's time, in milliseconds. */
  readonly at: number;
  /** How many events the history had when the process took its step: all that come together have the same number. */
  readonly historyLength: number;
  /** What the machine itself took, in this order. */
  readonly taken: readonly ChartViewTransition[];
  readonly position: Position;
  readonly awaited: Awaited;
  /** The answer to the query `progress`. */
  readonly progress: unknown;
  /** With the first step of a run. */
  readonly chart?: ChartView;
}

export interface TraceSink extends Sinks {
  trace: { step(step: TracedStep): void; standing(standing: TracedStanding): void };
}

const { trace } = proxySinks<TraceSink>();

/** Name of the memo field that asks for the steps, with any value. */
export const TRACED = 'traced';

/** As its value: each step goes to the sink `standing` instead. */
export const WITH_STANDING = 'withStanding';

interface Traced {
  progress(): unknown;
  position(): Position;
  awaited(): Awaited;
}

export class Trace {
  /** Undefined unless it is asked for: xstate tells its transitions only to those who want them. */
  readonly watch: ((taken: readonly AnyTransitionDefinition[]) => void) | undefined;
  readonly #asked = workflowInfo().memo?.[TRACED];
  readonly #of: Traced;
  #taken: ChartViewTransition[] = [];

  constructor(of: Traced) {
    this.#of = of;
    if (this.#asked === WITH_STANDING)
      this.watch = (taken) => void this.#taken.push(...taken.map(transitionView));
  }

  /** Its first actions are not carried out yet. */
  begins(event: string, snapshot: AnyMachineSnapshot): void {
    this.#send(event, snapshot);
  }

  begun(event: string, machine: AnyStateMachine): void {
    this.stands(event, { chart: chartView(machine) });
  }

  step(event: string, snapshot: AnyMachineSnapshot): void {
    this.#send(event, snapshot);
    this.stands(event);
  }

  /** Also after a step that could not be taken. */
  stands(event: string, more: { readonly chart?: ChartView } = {}): void {
    if (this.#asked !== WITH_STANDING) return;
    const { historyLength } = workflowInfo();
    const { timers, calls, held } = this.#of.awaited();
    trace.standing({
      ...{ event, at: Date.now(), historyLength, taken: this.#taken },
      ...{ position: this.#of.position(), progress: this.#of.progress() },
      awaited: { timers, calls, ...(held && { held }) },
      ...more,
    });
    this.#taken = [];
  }

  #send(event: string, { value, status, output }: AnyMachineSnapshot): void {
    if (this.#asked !== undefined && this.#asked !== WITH_STANDING)
      trace.step({ event, value, status, output });
  }
}
