// What the page shows of many processes, and of what they need that is silent.
import type { Awaits } from '../../contract/flows/awaits.ts';
import type { ExtendInput } from '../../processes/commands/extend.ts';
import type { ProcessPage, ProcessRow } from '../../processes/views/process-list.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';

export type { HealthPart, HealthView, Silent } from '../../processes/views/health.ts';
export type { ProcessPage, ProcessRow };

/** As far as the look at a process beside the list shows it. */
export interface PeekedProcess extends Pick<ShownProcess, 'failure'> {
  readonly progress: { readonly awaits?: readonly Awaits[] } | null;
}

/** What is to be done to many. */
export type BulkAction =
  | { readonly command: 'cancel' | 'retry'; readonly fields: { readonly why: string } }
  | { readonly command: 'extend'; readonly fields: ExtendInput & { readonly why?: string } };

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
