// What each source of the inbox is: it reads the entries of its kind, and does what a person decides about one of them.

import type { Values } from '../../processes/commands/read-values.ts';
import { quoted } from '../../processes/views/flow-query.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { EntryKind, InboxEntry } from './inbox-view.ts';

export interface InboxAction {
  /** The id of a choice. */
  readonly action: string;
  readonly values: Values;
}

export interface SourceRead {
  readonly entries: readonly InboxEntry[];
  /** Why this is not all of it. */
  readonly incomplete?: string;
}

/** In the name of the person who decides. */
export type ActingParts = Omit<ConsoleParts, 'service'> & ReturnType<ConsoleParts['as']>;

export interface InboxSource {
  readonly kind: EntryKind;
  /** As in "decisions could not be read". */
  readonly what: string;
  read(parts: ConsoleParts): Promise<SourceRead>;
  /** `key` is the entry's id without its kind. Gives what was done, in a sentence. */
  act(parts: ActingParts, key: string, chosen: InboxAction): Promise<string>;
}

/** Another task queue may be another tenant's: of its processes nothing is shown. */
export const onOwnTaskQueue = ({ taskQueue }: ConsoleParts): string => `TaskQueue = ${quoted(taskQueue)}`;

export const noSuchAction = (action: string, known: readonly string[]) =>
  new ConsoleRefusal(
    400,
    'InvalidRequest',
    `${JSON.stringify(action)} is not an action here; expected one of ${known.join(', ')}`,
  );
