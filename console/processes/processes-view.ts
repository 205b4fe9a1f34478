// What the page shows of many processes.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';

/** What an open process itself says of where it stands. */
export interface ProcessSummary {
  /** Its shipments with their states, or the state of a flow file's chart. */
  readonly states: readonly LegSummary[];
  /** What it waits for, the most urgent; null: nothing. */
  readonly awaits: string | null;
  /** The end of its next deadline. */
  readonly until: string | null;
  /** How far its clock is ahead of the real time: its deadlines go by that clock. */
  readonly clockAheadMs: number;
}

export interface LegSummary {
  readonly role: string | null;
  readonly state: string;
  readonly lockerName: string | null;
  readonly isDone: boolean;
}

export interface ProcessRow {
  readonly key: string;
  readonly runId: string;
  readonly flow: string;
  /** Open, Overdue or NeedsPerson of an open process; Completed, Failed, Cancelled, Terminated or TimedOut of a closed one. */
  readonly phase: string;
  readonly isOpen: boolean;
  readonly caseNo: string | null;
  readonly pickUpPoint: string | null;
  readonly shipmentUids: readonly string[];
  readonly startedAt: string | null;
  readonly closedAt: string | null;
  /** Null: not known yet, or no worker answers. */
  readonly summary: ProcessSummary | null;
}

export interface ProcessPage {
  readonly rows: readonly ProcessRow[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
  /** The count of the whole search. */
  readonly count: number;
}

export interface Choices {
  /** Names of flows, built in and published. */
  readonly flows: readonly string[];
  readonly deadlines: readonly { readonly role: Role; readonly stage: Stage }[];
}

/** What is to be done to many. */
export type BulkAction =
  | { readonly verb: 'cancel'; readonly why: string }
  | {
      readonly verb: 'extend';
      readonly role: Role;
      readonly stage: Stage;
      readonly fromNow?: string | undefined;
      readonly until?: string | undefined;
      readonly why?: string | undefined;
    };

/** For each process: what would become of it, or what became of it. */
export interface BulkOutcome {
  readonly key: string;
  readonly isGood: boolean;
  readonly words: string;
}
