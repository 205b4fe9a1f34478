// Every step of a process, told to a sink: replay tests compare it, since replay itself compares commands only.
import { proxySinks, type Sinks } from '@temporalio/workflow';
import type { AnyMachineSnapshot } from 'xstate';

export interface TracedStep {
  /** The event's type; `start` and `continued` for how the run began. */
  readonly event: string;
  readonly value: unknown;
  readonly status: string;
  readonly output: unknown;
}

/** A worker must register it, if only as a no-op: an unregistered sink logs an error at each call. */
export interface TraceSink extends Sinks {
  trace: { step(step: TracedStep): void };
}

const { trace } = proxySinks<TraceSink>();

export function traceStep(event: string, { value, status, output }: AnyMachineSnapshot): void {
  trace.step({ event, value, status, output });
}
