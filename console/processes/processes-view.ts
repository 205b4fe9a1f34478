// What the page shows of many processes.
import type { Phase } from '../../contract/flows/flow-messages.ts';

export interface ProcessRow {
  readonly key: string;
  readonly runId: string;
  readonly flow: string;
  /** The phase of an open process; how a closed one has ended. */
  readonly standing: Phase | 'Completed' | 'Failed' | 'Cancelled' | 'Terminated' | 'TimedOut' | string;
  readonly isOpen: boolean;
  readonly caseNo: string | null;
  readonly pickUpPoint: string | null;
  readonly shipmentUids: readonly string[];
  readonly startedAt: string | null;
  readonly closedAt: string | null;
}

export interface ProcessPage {
  readonly rows: readonly ProcessRow[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
  /** Of the whole search. */
  readonly count: number;
}
