// What is said about a batch that brings the running processes of a flow to another version: between the commands, the workflow
// that does it, and its activities.

import type { BatchControl, BatchPhase } from './batches.ts';

/** The plan of a migration as data: the engine reads its names, flow files also `context` and `input`. */
export type PlanData = Readonly<Record<string, unknown>>;

export interface MigrationInput {
  readonly flow: string;
  readonly to: number;
  readonly by: string;
  readonly why: string;
  readonly plan: PlanData;
  /** Back to a version that the processes had: exactly as they were, where nothing has happened since. */
  readonly back: boolean;
  /** Processes that cannot be carried where they are, but will leave that behind: the batch comes back to them. */
  readonly waits: boolean;
  readonly halted: boolean;
  /** More conditions, in Temporal's query language. */
  readonly query: string | null;
  /** So many go first; then the batch looks at what has become of them. */
  readonly first: number;
  /** Processes a second. */
  readonly rate: number;
  /** The batch stops above this share of refusals, from 0 to 1. */
  readonly maxRefused: number;
}

/** What has become of one process. */
export interface MigrationOutcome {
  readonly key: string;
  /** `unanswered`: its worker did not answer in time; the batch comes back to it. */
  readonly outcome: 'migrated' | 'already' | 'waits' | 'needsPlan' | 'refused' | 'ended' | 'unanswered';
  readonly reasons: readonly MigrationReason[];
}

export interface MigrationReason {
  readonly code: string;
  /** The state's path, the invoke's id, the field, or the delay as `timers` of a plan has it. */
  readonly at: string;
  readonly reason: string;
  readonly remedy: string;
}

/** Processes to which the same applies. */
export interface MigrationGroup extends Omit<MigrationReason, 'reason'> {
  readonly reason: string;
  readonly outcome: MigrationOutcome['outcome'];
  readonly count: number;
  /** One of them, to look at. */
  readonly example: string;
}

export type MigrationPhase = BatchPhase | 'stopped';

/** The answer to the query `status`, and the result. */
export interface MigrationStatus {
  readonly phase: MigrationPhase;
  /** Why it has stopped. */
  readonly stopped?: string;
  readonly control?: BatchControl | undefined;
  readonly sweeps: number;
  readonly migrated: number;
  /** As the present sweep has found them, or the last one. */
  readonly groups: readonly MigrationGroup[];
}

export interface ProcessesWanted {
  readonly input: MigrationInput;
  readonly size: number;
  /** The `next` of an earlier page. */
  readonly from: string | null;
}

export interface FoundProcess {
  readonly key: string;
  /** The version that it runs on; null: it has not said so yet. */
  readonly version: number | null;
}

export interface ProcessesFound {
  readonly processes: readonly FoundProcess[];
  readonly next: string | null;
}

export interface MigrationActivities {
  /** One page of those that are not on the version yet. */
  processesToMigrate(wanted: ProcessesWanted): Promise<ProcessesFound>;
  /** Each under one update id: twice is once. */
  migrateProcesses(input: {
    readonly input: MigrationInput;
    readonly updateId: string;
    readonly processes: readonly FoundProcess[];
    /** Lists may still show what an earlier sweep has migrated. */
    readonly isLaterSweep: boolean;
  }): Promise<readonly MigrationOutcome[]>;
  /** How many have halted on the version. */
  haltedAfterMigration(input: MigrationInput): Promise<number>;
  /** Those of the versions on which open processes run. */
  versionsInUse(input: {
    readonly flow: string;
    readonly versions: readonly number[];
  }): Promise<readonly number[]>;
}
