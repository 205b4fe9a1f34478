// The JSON of the console's pages about many processes: list, Work and bulk commands.
import { z } from 'zod';
import type { ExtendInput } from '../../processes/commands/extend.ts';
import type { ProcessPage, ProcessRow } from '../../processes/views/process-list.ts';
import { commandOutcome } from '../api/commands.ts';

export type { Choice, ChoiceField } from '../../processes/action-forms/question-forms.ts';
export type {
  EntryGroup,
  EntryKind,
  Unread,
  WorkEntry,
  WorkView,
} from '../../processes/views/inbox/inbox-entry.ts';
export type { ProcessCounts } from '../../processes/views/process-list.ts';
export type { ProcessPage, ProcessRow };

/** A command for all selected processes. */
export type BulkAction =
  | { readonly command: 'cancel' | 'retry'; readonly fields: { readonly why: string } }
  | { readonly command: 'extend'; readonly fields: ExtendInput & { readonly why?: string } };

const bulkOutcome = commandOutcome.extend({ key: z.string() });
export type BulkOutcome = z.infer<typeof bulkOutcome>;

export const bulkStates = ['Running', 'Done', 'Stopped'] as const;

export const shownBulk = z
  .object({
    id: z.string(),
    command: z.string(),
    dryRun: z.boolean(),
    perSecond: z.int(),
    by: z.string(),
    state: z.enum(bulkStates),
    total: z.int(),
    done: z.int().meta({ description: 'Outcomes that are there, good or not' }),
    refused: z.int().meta({ description: 'How many of them were refused' }),
    outcomes: z.array(bulkOutcome).meta({ description: 'In the order in which they came' }),
  })
  .meta({ title: 'Bulk' });
export type Bulk = z.infer<typeof shownBulk>;
