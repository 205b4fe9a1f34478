// What each source of the inbox is: it reads the entries of its kind.
import { quoted } from '../../processes/views/flow-query.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { EntryKind, InboxEntry } from './inbox-view.ts';

export interface SourceRead {
  readonly entries: readonly InboxEntry[];
  /** Why this is not all of it. */
  readonly incomplete?: string;
}

export interface InboxSource {
  readonly kind: EntryKind;
  /** As in "decisions could not be read". */
  readonly what: string;
  read(parts: ConsoleParts): Promise<SourceRead>;
}

/** Another task queue may be another tenant's: of its processes nothing is shown. */
export const onOwnTaskQueue = ({ taskQueue }: ConsoleParts): string => `TaskQueue = ${quoted(taskQueue)}`;
