// The JSON of the console's pages about many processes: list, Work and bulk commands.

import type { OutcomesView as BatchOutcomes, OutcomeView } from '../../processes/batches/read-outcomes.ts';
import type { ExtendInput, ShortenInput } from '../../processes/commands/extend.ts';
import type { MovePreview } from '../../processes/commands/move.ts';
import type { StartAgainPreview } from '../../processes/commands/start-again.ts';
import type { ProcessPage, ProcessRow } from '../../processes/views/process-list.ts';
import type { CommandOutcome } from '../api/commands.ts';

export type { ActionField, ActionForm } from '../../processes/action-forms/question-forms.ts';
export type { BatchView } from '../../processes/batches/read-batches.ts';
export type { MessagePreview } from '../../processes/commands/message.ts';
export type { MechanicPreview } from '../../processes/commands/send-mechanic.ts';
export type { ShipmentMessagePreview } from '../../processes/commands/shipment-message.ts';
export type {
  EntryGroup,
  EntryKind,
  Unread,
  WorkEntry,
  WorkView,
} from '../../processes/inbox/inbox-entry.ts';
export type { LogPage } from '../../processes/log/log.ts';
export type { LogEntry } from '../../processes/log/log-entries.ts';
export type { WallLogEntry } from '../../processes/log/wall-log-entry.ts';
export type { MechanicAsked } from '../../processes/outreach/mechanic-requests.ts';
export type { SentMessage, ToldCase } from '../../processes/outreach/sent-messages.ts';
export type { ShipmentMessage } from '../../processes/outreach/shipment-messages.ts';
export type { ProcessCounts } from '../../processes/views/counts.ts';
export type { ExpectedSteps } from '../../processes/views/expected.ts';
export type { Problem } from '../api/problem.ts';
export type { ProcessPage, ProcessRow };

/** A command for all selected processes. */
export type BulkAction =
  | { readonly command: 'cancel' | 'retry'; readonly fields: { readonly why: string } }
  | { readonly command: 'message'; readonly fields: { readonly text?: string; readonly why?: string } }
  | { readonly command: 'extend' | 'shorten'; readonly fields: EndFields & { readonly why: string } }
  | { readonly command: 'startAgain'; readonly fields: { readonly why: string; readonly change: object } };

type EndFields = Pick<ExtendInput & ShortenInput, 'next' | 'until' | 'extendBy' | 'shortenBy'>;

export type { MovePreview, StartAgainPreview };

/** What a dry run says. */
export type StartAgainOutcome = Omit<CommandOutcome, 'consequence'> & {
  /** Deadlines are said of a move alone. */
  readonly consequence: (StartAgainPreview & Partial<Pick<MovePreview, 'deadlines'>>) | null;
};

export interface BulkOutcome extends CommandOutcome, Partial<Pick<OutcomeView, 'now'>> {
  readonly key: string;
  /** Where it is known. */
  readonly about?: ProcessRow['about'] | undefined;
}

export interface OutcomesView extends Omit<BatchOutcomes, 'outcomes'> {
  readonly outcomes: readonly (OutcomeView & Pick<ProcessRow, 'about'>)[];
}
