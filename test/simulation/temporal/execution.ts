// One run of a workflow as Temporal's server keeps it: what has happened and what its workers have decided, in order.
import type { Due } from '../kernel/simulator.ts';
import type { ActivityRun } from './activity-run.ts';
import type { Activation, CachedRun, Job, Payload, RunInfo } from './cached-run.ts';
import type { Failure } from './failures.ts';

export interface Recorded extends Activation {
  readonly decided: string;
}

export type End =
  | { readonly status: 'COMPLETED'; readonly result: Payload }
  | { readonly status: 'FAILED' | 'CANCELLED' | 'TERMINATED'; readonly failure: Failure }
  | { readonly status: 'CONTINUED_AS_NEW'; readonly next: Execution };

/** Somebody outside waits for the answer of an update. */
export interface Waiting {
  accepted?(): void;
  done(result: unknown): void;
  failed(failure: Failure | 'gone'): void;
}

export interface Parent {
  readonly execution: Execution;
  readonly seq: number;
}

export class Execution implements RunInfo {
  readonly workflowId: string;
  readonly runId: string;
  readonly firstRunId: string;
  readonly type: string;
  readonly args: readonly Payload[];
  readonly startedAt: number;
  readonly parentExecution: Parent | null;
  readonly continuedFrom: string | null;
  readonly onParentClose: number;
  memo: Readonly<Record<string, Payload>>;
  /** In the protocol's form. */
  searchAttributes: Readonly<Record<string, unknown>>;
  readonly recorded: Recorded[] = [];
  /** What no completed task has shown to the workflow yet. */
  pending: Job[] = [];
  events = 0;
  end: End | null = null;
  endedAt: number | null = null;
  /** Counts up; an answer to a former one counts for nothing. */
  task = 0;
  isTaskOpen = false;
  taskAttempts = 0;
  stickyTo: string | null = null;
  readonly timers = new Map<number, Due>();
  readonly activities = new Map<number, ActivityRun>();
  /** The activities whose end counts even after their cancellation was requested. */
  readonly waitsForCancelled = new Set<number>();
  readonly children = new Map<number, Execution>();
  readonly updates = new Map<string, Waiting>();
  isCancelRequested = false;
  /** Grows with each change that visibility shows. */
  version = 0;

  constructor(given: {
    readonly workflowId: string;
    readonly runId: string;
    readonly firstRunId: string;
    readonly type: string;
    readonly args: readonly Payload[];
    readonly startedAt: number;
    readonly memo: Readonly<Record<string, Payload>>;
    readonly searchAttributes: Readonly<Record<string, unknown>>;
    readonly parent: Parent | null;
    readonly continuedFrom: string | null;
    readonly onParentClose: number;
  }) {
    this.workflowId = given.workflowId;
    this.runId = given.runId;
    this.firstRunId = given.firstRunId;
    this.type = given.type;
    this.args = given.args;
    this.startedAt = given.startedAt;
    this.memo = given.memo;
    this.searchAttributes = given.searchAttributes;
    this.parentExecution = given.parent;
    this.continuedFrom = given.continuedFrom;
    this.onParentClose = given.onParentClose;
  }

  get parent(): RunInfo['parent'] {
    if (!this.parentExecution) return null;
    const { workflowId, runId } = this.parentExecution.execution;
    return { workflowId, runId };
  }

  get isOpen(): boolean {
    return this.end === null;
  }

  get status(): string {
    return this.end?.status ?? 'RUNNING';
  }
}

/** A worker's copy, and how much of the history it has seen. */
export interface Cached {
  readonly run: CachedRun;
  seen: number;
}
