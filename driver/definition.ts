// What the driver must be given to run a process: a statechart, and pure functions that tell people what it does.
// The driver never looks into a snapshot's context; whatever is special to a process is behind these functions.
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import type { ActivityCall } from './activity-call.ts';

/** What the statechart is started with, as its `input`. */
export interface ProcessStart<Input = unknown> {
  readonly input: Input;
  readonly flow: string;
  readonly version: number;
  readonly workflowId: string;
  /** The same after continue-as-new and after a reset, unlike the run id: what idempotency keys are made of. */
  readonly firstExecutionRunId: string;
}

/** A signal or update as the chart gets it. The payload is whatever the sender sent: the chart judges it. */
export interface MessageEvent<Payload = unknown> extends EventObject {
  readonly payload: Payload;
  /** Of an update: whom to answer. */
  readonly updateId?: string;
}

/** The event that the chart gets when someone cancels the workflow. */
export const CANCEL_REQUESTED = 'cancelRequested';

/** What the chart may emit. */
export type Emitted =
  | { readonly type: 'answer'; readonly updateId: string; readonly value: unknown }
  | { readonly type: 'refusal'; readonly updateId: string; readonly code: string; readonly message: string }
  /** A message that is not this process's own: it is handed over by the definition's `handOver`. */
  | { readonly type: 'notOurs'; readonly payload: unknown };

/** The chart's output: how the workflow closes. */
export type Ending =
  | { readonly kind: 'result'; readonly result: unknown }
  /** As the one who asked for it expects: the workflow's status is Canceled and it has no result. */
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly details?: readonly unknown[];
    };

export type SearchAttributes = Readonly<Record<string, string | readonly string[]>>;

export interface Definition {
  readonly machine: AnyStateMachine;
  /** Name of each signal, with its description for the Web UI. */
  readonly signals: Readonly<Record<string, string>>;
  readonly updates: Readonly<Record<string, string>>;
  /** Why an update is not possible now, as one sentence. */
  refusal(snapshot: AnyMachineSnapshot, event: MessageEvent): string;
  /** The answer to the query `progress`; `late` came after the end and is this process's own. */
  progress(snapshot: AnyMachineSnapshot, late: readonly unknown[]): unknown;
  /** Markdown for the Web UI. No personal data, no access codes. */
  details(snapshot: AnyMachineSnapshot): string;
  /** Null as long as there is nothing worth an event of history. */
  searchAttributes(snapshot: AnyMachineSnapshot): SearchAttributes | null;
  /** A delay by its name in the chart, in words for the timeline. */
  timerSummary(delay: string, snapshot: AnyMachineSnapshot): string;
  /** Whether a message that came after the end was this process's own. */
  isOurs(snapshot: AnyMachineSnapshot, event: MessageEvent): boolean;
  /** The activity that takes what is not ours; it must never fail for good. */
  readonly handOver: ActivityCall<{ readonly reports: readonly unknown[] }> | null;
}

/**
 * By version; a function, so that only those in use are built. It must be pure: its chart serves all processes of a worker.
 * A version stays as long as processes run on it.
 */
export type Versions = Readonly<Record<number, () => Definition>>;
