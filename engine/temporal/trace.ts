// Sends every step of a process to a sink, if the memo asks for it: it takes a tenth of a flow's processor time. Replay
// tests compare the steps, because replay itself compares only commands. Programs that show a history step by step replay
// it WITH_STATUS.
import { proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow';
import {
  type ChartView,
  type ChartViewTransition,
  chartView,
  type Position,
  transitionView,
} from '../chart/chart-view.ts';
import type { PendingWork } from '../definition.ts';
import type { Process } from '../process.ts';
import { MIGRATION, type Watch } from '../stepper.ts';

export interface TracedStep {
  /** The event's type; `start` and `continued` for how the run began. */
  readonly event: string;
  readonly value: unknown;
  readonly status: string;
  readonly output: unknown;
}

/** A step with the status of the process after it. */
export interface TracedStatus {
  readonly event: string;
  /** The process's time, in milliseconds. */
  readonly at: number;
  /** How many events the history had when the process took its step: all that come together have the same number. */
  readonly historyLength: number;
  /** What the machine itself took, in this order. */
  readonly taken: readonly ChartViewTransition[];
  readonly position: Position;
  readonly awaited: PendingWork;
  /** The answer to the query `progress`. */
  readonly progress: unknown;
  /** With the first step of a run, and with the one that replaces the definition. */
  readonly chart?: ChartView;
}

interface TraceSink extends Sinks {
  trace: { step(step: TracedStep): void; status(status: TracedStatus): void };
}

const { trace } = proxySinks<TraceSink>();

/** Name of the memo field that asks for the steps, with any value. */
export const TRACED = 'traced';

/** As its value: each step goes to the sink `status` instead. */
export const WITH_STATUS = 'withStatus';

export class Trace {
  /** Undefined unless it is asked for: xstate tells its transitions only to those who want them. */
  readonly watch: Watch | undefined;
  readonly #asked = workflowInfo().memo?.[TRACED];
  #taken: ChartViewTransition[] = [];
  #hasChart = false;

  constructor() {
    if (this.#asked === WITH_STATUS)
      this.watch = (taken) => void this.#taken.push(...taken.map(transitionView));
  }

  /** @param isTaken false: the step has failed, or a person has decided about one that did */
  step(process: Process, event: string, isTaken: boolean): void {
    if (this.#asked === WITH_STATUS) trace.status(this.#statusOf(process, event));
    else if (this.#asked !== undefined && isTaken) {
      const { value, status, output } = process.snapshot;
      trace.step({ event, value, status, output });
    }
  }

  #statusOf(process: Process, event: string): TracedStatus {
    const { timers, calls, halted } = process.awaited;
    const taken = this.#taken;
    const isFirst = !this.#hasChart || event === MIGRATION;
    this.#taken = [];
    this.#hasChart = true;
    return {
      event,
      at: Date.now(),
      historyLength: workflowInfo().historyLength,
      taken,
      position: process.position(),
      progress: process.progress(),
      awaited: { timers, calls, ...(halted && { halted }) },
      ...(isFirst && { chart: chartView(process.definition.machine) }),
    };
  }
}
