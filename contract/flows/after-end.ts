// What people add to a case that has ended: a note, or a message to the person whom it was for. Its process takes nothing any more, so a
// workflow of its own keeps each: of a note one that ends at once (NoteAfterEnd), of a message the one that delivers it.
import type { AddNote } from './note.ts';
import type { SendMessage } from './outreach.ts';

/** The value of the search attribute LockerSubjects that all of them have. */
export const AFTER_END_SUBJECT = 'afterEnd';

/** By run: a process that is started again with the same key has nothing of them. */
export const subjectAfterEnd = (runId: string): string => `${AFTER_END_SUBJECT}:${runId}`;

/** What the memo `afterEnd` of the workflow keeps. */
export type AfterEndMemo = {
  /** The business key of the process that has ended. */
  readonly key: string;
  /** Its last one. */
  readonly runId: string;
} & (
  | { readonly name: 'note'; readonly fields: AddNote }
  | { readonly name: 'message'; readonly fields: SendMessage }
);
