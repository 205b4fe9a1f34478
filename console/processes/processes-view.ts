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

export type Status = 'Running' | 'Completed' | 'Failed' | 'Cancelled' | 'Terminated' | 'TimedOut';

export interface ProcessRow {
  readonly key: string;
  readonly runId: string;
  readonly flow: string;
  readonly status: Status;
  /** Open, Overdue or NeedsPerson; null once it has ended. */
  readonly phase: string | null;
  readonly caseNo: string | null;
  readonly pickUpPoint: string | null;
  readonly shipmentUids: readonly string[];
  readonly startedAt: string | null;
  readonly closedAt: string | null;
  /** Null: not known yet, or no worker answers. */
  readonly summary: ProcessSummary | null;
}

export interface ProcessPage {
  readonly items: readonly ProcessRow[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
  /** The count of the whole search. */
  readonly count: number;
}

/** What is to be done to many. */
export type BulkAction =
  | { readonly command: 'cancel'; readonly fields: { readonly why: string } }
  | {
      readonly command: 'extend';
      readonly fields: {
        readonly role: Role;
        readonly stage: Stage;
        readonly fromNow?: string;
        readonly until?: string;
        readonly why?: string;
      };
    };

/** For each process: what would become of it, or what became of it. */
export interface BulkOutcome {
  readonly key: string;
  readonly refusal: { readonly code: string; readonly message: string } | null;
  readonly words: string | null;
}

/** A command for many processes, as far as it is. */
export interface Bulk {
  readonly id: string;
  readonly state: 'Running' | 'Done' | 'Stopped';
  readonly total: number;
  readonly done: number;
  readonly outcomes: readonly BulkOutcome[];
}
