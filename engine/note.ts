// The update `note`, which every process takes while it is open: words of a person for whoever looks at it next. It takes no step of
// the chart. The history has them all, and the process keeps the newest.
import { LONGEST_NOTE, type Note } from '../contract/flows/note.ts';
import { type Command, ended, objectOf, type Rejection, textField } from './commands.ts';

/** Code of the refusal of what is no note. */
const INVALID_NOTE = 'InvalidNote';

/** Carried from run to run: nobody's name is as long. */
export const LONGEST_NAME = 200;

type NoteFields = Omit<Note, 'at'>;

export function noteProblem(isOpen: boolean, payload: unknown): Rejection | undefined {
  if (!isOpen) return ended;
  const { text, by, onBehalfOf } = fieldsIn(payload);
  const message =
    textProblem('text', text, LONGEST_NOTE) ??
    textProblem('by', by, LONGEST_NAME) ??
    (onBehalfOf === undefined ? undefined : textProblem('onBehalfOf', onBehalfOf, LONGEST_NAME));
  return message === undefined ? undefined : { code: INVALID_NOTE, message };
}

/** @param payload has no problem */
export function noteIn(payload: unknown): NoteFields {
  const { text, by, onBehalfOf } = payload as NoteFields;
  return {
    text: text.trim(),
    by: by.trim(),
    ...(onBehalfOf !== undefined && { onBehalfOf: onBehalfOf.trim() }),
  };
}

/** Always possible: what follows from it is that it is kept. */
export const noteCommand = (process: { noteRefusal(payload: unknown): Rejection | undefined }): Command => ({
  command: 'note',
  sent: { kind: 'update', name: 'note' },
  fields: objectOf(
    {
      text: textField('What whoever looks at the process next should know; it is kept', LONGEST_NOTE),
      by: textField('Who says it; it is kept', LONGEST_NAME),
      onBehalfOf: textField('The person for whom a program says that it acts; it is kept', LONGEST_NAME),
      why: textField('Why; it is kept'),
    },
    ['text', 'by'],
  ),
  refusal: (fields) => fields && process.noteRefusal(fields),
});

const fieldsIn = (payload: unknown): Readonly<Record<keyof NoteFields, unknown>> =>
  (typeof payload === 'object' && payload !== null ? payload : {}) as Record<keyof NoteFields, unknown>;

export function textProblem(field: string, value: unknown, longest: number): string | undefined {
  const expected = `expected 1 to ${longest} characters`;
  if (typeof value !== 'string')
    return `${field} is ${value === undefined ? 'missing' : 'no text'}, ${expected}`;
  const { length } = value.trim();
  if (length === 0) return `${field} is empty, ${expected}`;
  return length > longest ? `${field} has ${length} characters, ${expected}` : undefined;
}
