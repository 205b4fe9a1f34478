// A batch does one command for many processes: what its workflow, its activity and whoever starts, reads and controls it say to
// each other. A migration is controlled in the same way.
import type { Attribution } from './attribution.ts';

/** The argument of the workflow. */
export interface BatchInput extends BatchCommand {
  /** Each once. */
  readonly keys: readonly string[];
  /** Where each process has fields of its own: those of each of `keys`, in their order. Null: it is done, and needs none any more. */
  readonly fieldsOfEach?: readonly (Fields | null)[] | undefined;
  /** The id of the batch that it takes back. */
  readonly undoes?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** What is done to each process. */
export interface BatchCommand {
  readonly command: string;
  /** As the command reads them. */
  readonly fields: Fields;
  /** Who has started it, and why: each process keeps it. */
  readonly who: Attribution;
  /** As Temporal keeps it with each request that they make. */
  readonly identity: string;
  /** Those on which they may act; null: every flow. */
  readonly flows: readonly string[] | null;
  /** Processes a second. */
  readonly rate: number;
}

/** The updates of a batch, and of a migration. */
export type ControlName = 'pause' | 'resume' | 'cancel';

/** Lists show it without a worker, and without thousands of keys. */
export type BatchMemo = {
  readonly batch: Pick<BatchCommand, 'command' | 'who'> & {
    /** Null: it is not known before its end. */
    readonly total: number | null;
    readonly undoes?: string;
  };
};

export type BatchPhase = 'running' | 'paused' | 'done' | 'cancelled';

/** The answer to the query `status`, and the result. */
export interface BatchStatus {
  readonly phase: BatchPhase;
  readonly total: number;
  readonly done: number;
  readonly refused: number;
  /** No answer came: it may have been done. The batch asks again by itself, a few times. */
  readonly unknown: number;
  readonly control?: BatchControl | undefined;
}

/** Who has done what to it last. */
export interface BatchControl {
  readonly what: ControlName | 'retry';
  readonly who: Attribution;
}

/** What has become of one process. */
export type BatchOutcome = { readonly key: string } & (
  | { readonly outcome: 'done'; readonly result: unknown }
  | ({ readonly outcome: 'refused' } & OutcomeReason)
  | ({ readonly outcome: 'unknown' } & OutcomeReason & { readonly request: BatchRequest })
);

interface OutcomeReason {
  readonly code: string;
  readonly message: string;
}

/** How a process was asked: who finds it in its history knows that it was done. */
export interface BatchRequest {
  readonly updateId: string;
  /** Milliseconds since 1970: not before. */
  readonly since: number;
}

export interface BatchItem {
  readonly key: string;
  /** It was asked before, and no answer came. */
  readonly request?: BatchRequest;
  /** In place of those of the batch. */
  readonly fields?: Fields;
  /** Those of the batch that are parts of it, by their keys: what one of them takes, that one does. */
  readonly parts?: readonly string[];
}

export interface OutcomesWanted {
  readonly from: number;
  readonly size: number;
  /** Absent: every outcome. */
  readonly only?: BatchOutcome['outcome'] | undefined;
}

/** The answer to the query `outcomes`. */
export interface OutcomePage {
  readonly outcomes: readonly BatchOutcome[];
  /** The `from` of the next page; null after the last. */
  readonly next: number | null;
}

/** Where it is, for a run that continues this one, or that tries again what has failed. */
export interface SavedBatch {
  readonly outcomes: readonly BatchOutcome[];
  readonly sweep: number;
  readonly control?: BatchControl | undefined;
}

export interface BatchActivities {
  /** An outcome for each, in the order in which they came. A repeat goes on where the one before was. */
  actOnProcesses(input: {
    readonly command: BatchCommand;
    /** Tells the requests of this batch from those of others. */
    readonly id: string;
    readonly items: readonly BatchItem[];
  }): Promise<readonly BatchOutcome[]>;
}
