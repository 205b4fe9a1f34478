// Sends every step of a process to a sink, if the memo asks for it: it takes a tenth of a flow's processor time. Replay
// tests compare the steps, because replay itself compares only commands.
import { proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow';
import type { Process } from '../process.ts';

export interface TracedStep {
  /** The event's type; `start` and `continued` for how the run began. */
  readonly event: string;
  readonly value: unknown;
  /** The paths of the active states, as people see them. */
  readonly active: readonly string[];
  readonly status: string;
  readonly output: unknown;
}

interface TraceSink extends Sinks {
  trace: { step(step: TracedStep): void };
}

const { trace } = proxySinks<TraceSink>();

/** Name of the memo field that asks for the steps, with any value. */
export const TRACED = 'traced';

/** @param isTaken false: the step has failed, or a person has decided about one that did */
export function traceStep(process: Process, event: string, isTaken: boolean): void {
  if (!isTaken || workflowInfo().memo?.[TRACED] === undefined) return;
  const { value, status, output } = process.snapshot;
  trace.step({ event, value, active: process.position().active, status, output });
}
