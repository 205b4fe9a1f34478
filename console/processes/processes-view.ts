// The JSON of the console's pages about many processes: list, Work and bulk commands.
import type { ExtendInput } from '../../processes/commands/extend.ts';
import type { ProcessPage, ProcessRow } from '../../processes/views/process-list.ts';
import type { CommandOutcome } from '../api/commands.ts';

export type { ActionField, ActionForm } from '../../processes/action-forms/question-forms.ts';
export type {
  EntryGroup,
  EntryKind,
  Unread,
  WorkEntry,
  WorkView,
} from '../../processes/inbox/inbox-entry.ts';
export type { ProcessCounts } from '../../processes/views/process-list.ts';
export type { Problem } from '../api/problem.ts';
export type { ProcessPage, ProcessRow };

/** A command for all selected processes. */
export type BulkAction =
  | { readonly command: 'cancel' | 'retry'; readonly fields: { readonly why: string } }
  | { readonly command: 'extend'; readonly fields: ExtendInput & { readonly why?: string } };

export interface BulkOutcome extends CommandOutcome {
  readonly key: string;
}
