// Sends every step of a process to a sink: replay tests compare the steps, because replay itself compares only
// commands. It works only if the memo asks for it: it takes a tenth of a flow's processor time.
import { proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow';
import type { AnyMachineSnapshot } from 'xstate';

export interface TracedStep {
  /** The event's type; `start` and `continued` for how the run began. */
  readonly event: string;
  readonly value: unknown;
  readonly status: string;
  readonly output: unknown;
}

export interface TraceSink extends Sinks {
  trace: { step(step: TracedStep): void };
}

const { trace } = proxySinks<TraceSink>();

/** Name of the memo field that asks for it, with any value. */
export const TRACED = 'traced';

export function traceStep(event: string, { value, status, output }: AnyMachineSnapshot): void {
  if (workflowInfo().memo?.[TRACED] !== undefined) trace.step({ event, value, status, output });
}
