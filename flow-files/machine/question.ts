// Checks a question that `ask` puts to people, and the answer to it.
import type { JsonSchema } from '../../contract/flows/actions.ts';
import { objectOf } from '../../driver/commands.ts';
import { ExpressionFailure, type FailureCode } from '../expressions/failure.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import { delayProblem } from './delays.ts';
import type { Kit } from './kit.ts';

export interface QuestionField {
  readonly type?: 'text' | 'number' | 'yesNo';
  readonly choice?: readonly string[];
  readonly label?: string;
  readonly optional?: boolean;
}

export type QuestionFields = Readonly<Record<string, QuestionField>>;

/** The code that the question's `onError` hears if no answer came in time. */
export const NOT_ANSWERED = 'NotAnswered';

const LONGEST_TEXT = 2_000;

// A search attribute holds the name of the inbox. With a longer name the question would be in no inbox.
const LONGEST_INBOX = 80;

/** Throws if the expressions of an `ask` do not give a question. `written` is the input as it is written in the file. */
export function checkQuestion(
  { of, question, within = null }: JsonObject,
  written: JsonObject,
  path: string,
  kit: Kit,
): void {
  const failed = (field: string, reason: string, code: FailureCode = 'ExpressionFailed') =>
    kit.failed(
      new ExpressionFailure({ code, path: `${path}.${field}`, expression: String(written[field]), reason }),
    );
  if (typeof of !== 'string' || of === '' || of.length > LONGEST_INBOX)
    throw failed('of', `it gives no name of an inbox, expected a text of 1 to ${LONGEST_INBOX} characters`);
  if (question === null || typeof question === 'object')
    throw failed('question', 'it gives no question, expected a text');
  const problem = within === null ? undefined : delayProblem(within, kit.now());
  if (problem !== undefined) throw failed('within', problem, 'DelayInvalid');
}

/** What is wrong with an answer, field by field; empty if nothing is wrong. */
export function answerProblems(fields: QuestionFields, values: JsonObject): string[] {
  const names = Object.keys(fields);
  const unknown = Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is not a field of the question; expected ${names.join(', ') || 'none'}`);
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) return field.optional ? [] : [`${name} is missing`];
    const { fits, words } = expectedOf(field);
    return fits(value) ? [] : [`${name} must be ${words}`];
  });
  return [...unknown, ...wrong];
}

function expectedOf({ type, choice }: QuestionField): { fits(value: Json): boolean; words: string } {
  if (choice)
    return { fits: (value) => choice.some((each) => each === value), words: `one of ${choice.join(', ')}` };
  if (type === 'number') return { fits: (value) => typeof value === 'number', words: 'a number' };
  if (type === 'yesNo')
    return { fits: (value) => typeof value === 'boolean', words: 'yes or no (in JSON true or false)' };
  return {
    fits: (value) => typeof value === 'string' && value.length <= LONGEST_TEXT,
    words: `a text of at most ${LONGEST_TEXT} characters`,
  };
}

/** The answer's values as JSON Schema: what `answerProblems` accepts. */
export function answerSchema(fields: QuestionFields): JsonSchema {
  const required = Object.entries(fields).flatMap(([name, { optional }]) => (optional ? [] : [name]));
  return objectOf(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
    required,
  );
}

function fieldSchema({ type = 'text', choice, label }: QuestionField): JsonSchema {
  const title = label === undefined ? {} : { title: label };
  if (choice) return { type: 'string', enum: choice, ...title };
  if (type === 'number') return { type: 'number', ...title };
  return type === 'yesNo'
    ? { type: 'boolean', ...title }
    : { type: 'string', maxLength: LONGEST_TEXT, ...title };
}
