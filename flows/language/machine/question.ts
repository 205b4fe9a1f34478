// Checks a question that `ask` puts to people, and the answer to it.

import type { JsonSchema } from '../../../contract/flows/actions.ts';
import { getOwn } from '../../../engine/chart/messages.ts';
import { objectOf } from '../../../engine/commands.ts';
import { instantMs, isDate } from '../duration.ts';
import { ExpressionFailure, type FailureCode } from '../expressions/failure.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import { delayProblem } from './delays.ts';
import type { MachineRuntime } from './machine-runtime.ts';
import { LONGEST_INBOX, taskProblem } from './tasks.ts';

export interface QuestionField {
  readonly type?: 'text' | 'number' | 'yesNo' | 'date';
  readonly choice?: readonly string[];
  /** Whether several values of a choice may be chosen. */
  readonly many?: boolean;
  /** For a text, in characters without the white space around it. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** For a number or a date, or how many values of `many` are chosen. */
  readonly min?: Json;
  readonly max?: Json;
  /** What the answer has if the person leaves the field out. */
  readonly default?: Json;
  readonly label?: string;
  readonly optional?: boolean;
}

export type QuestionFields = Readonly<Record<string, QuestionField>>;

/** Code of the refusal of an answer that does not fit its question. */
export const INVALID_ANSWER = 'InvalidAnswer';

/** The code that the question's `onError` hears if no answer came in time. */
export const NOT_ANSWERED = 'NotAnswered';

const LONGEST_TEXT = 2_000;

const MAX_REMINDERS = 20;

/** Throws if `of` is given and is no inbox. */
export const checkInbox = (
  { of = 'any' }: JsonObject,
  written: JsonObject,
  path: string,
  runtime: MachineRuntime,
): void => checkQuestion({ of, question: 'any' }, written, path, runtime);

/** Throws if the expressions of an `ask` do not give a question. `written` is the input as it is written in the file. */
export function checkQuestion(
  asked: JsonObject,
  written: JsonObject,
  path: string,
  runtime: MachineRuntime,
): void {
  const { of, question, fields = {}, remind = null } = asked;
  const failed = (field: string, reason: string, code: FailureCode = 'ExpressionFailed') =>
    runtime.failed(
      new ExpressionFailure({ code, path: `${path}.${field}`, expression: String(written[field]), reason }),
    );
  if (typeof of !== 'string' || of === '' || of.length > LONGEST_INBOX)
    throw failed('of', `it gives no name of an inbox, expected a text of 1 to ${LONGEST_INBOX} characters`);
  if (question === null || typeof question === 'object')
    throw failed('question', 'it gives no question, expected a text');
  for (const [name, field] of Object.entries(fields as QuestionFields)) {
    const problem = fieldProblem(field);
    if (problem !== undefined) throw failed('fields', `the field ${name} ${problem}`);
  }
  const wrong = taskProblem(asked);
  if (wrong) throw failed(...wrong);
  const reminders = remindersIn(remind);
  if (reminders.length > MAX_REMINDERS)
    throw failed('remind', `it gives ${reminders.length} reminders, expected at most ${MAX_REMINDERS}`);
  const { within = null, due = null } = asked;
  for (const [field, moments] of Object.entries({ within: [within], due: [due], remind: reminders })) {
    const problem = momentsProblem(moments, runtime.now());
    if (problem !== undefined) throw failed(field, problem, 'DelayInvalid');
  }
}

const momentsProblem = (moments: readonly Json[], now: number): string | undefined =>
  moments
    .map((each) => (each === null ? undefined : delayProblem(each, now)))
    .find((each) => each !== undefined);

/** One moment, or a list. Null is none: an expression may give it. */
export const remindersIn = (remind: Json): readonly Json[] =>
  (Array.isArray(remind) ? (remind as Json[]) : [remind]).filter((each) => each !== null);

/** What is wrong with an answer, field by field; empty if nothing is wrong. */
export function answerProblems(fields: QuestionFields, values: JsonObject): string[] {
  const names = Object.keys(fields);
  const unknown = Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is not a field of the question; expected ${names.join(', ') || 'none'}`);
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const value = getOwn(values, name);
    const isGiven = value !== undefined && value !== null;
    if (!isGiven) return field.optional || hasDefault(field) ? [] : [`${name} is missing`];
    const expected = valueProblem(field, value);
    return expected === undefined ? [] : [`${name} must be ${expected}`];
  });
  return [...unknown, ...wrong];
}

const hasDefault = ({ default: fallback = null }: QuestionField): boolean => fallback !== null;

/** The values of an answer, with the defaults of what is left out. */
export function withDefaultsOf(fields: QuestionFields, values: JsonObject): JsonObject {
  const left = Object.entries(fields).filter(
    ([name, field]) => hasDefault(field) && (getOwn(values, name) ?? null) === null,
  );
  return { ...values, ...Object.fromEntries(left.map(([name, field]) => [name, field.default as Json])) };
}

/** What a value must be, in words; undefined if it is so. */
export function valueProblem(field: QuestionField, value: Json): string | undefined {
  const { type = 'text', choice, many = false } = field;
  if (choice && many) return manyProblem(field, choice, value);
  if (choice) return choice.some((each) => each === value) ? undefined : `one of ${choice.join(', ')}`;
  return problems[type](field, value);
}

function manyProblem(
  { min, max, optional }: QuestionField,
  choice: readonly string[],
  value: Json,
): string | undefined {
  const chosen = Array.isArray(value) ? (value as readonly Json[]) : [];
  const least = typeof min === 'number' ? min : Number(!optional);
  const most = typeof max === 'number' ? max : choice.length;
  const isSound =
    Array.isArray(value) &&
    chosen.every((each) => choice.some((known) => known === each)) &&
    new Set(chosen).size === chosen.length &&
    chosen.length >= least &&
    chosen.length <= most;
  return isSound ? undefined : `a list of ${least} to ${most} of ${choice.join(', ')}`;
}

const problems: Readonly<
  Record<NonNullable<QuestionField['type']>, (field: QuestionField, value: Json) => string | undefined>
> = {
  text: ({ minLength = 0, maxLength = LONGEST_TEXT }, value) => {
    const most = Math.min(maxLength, LONGEST_TEXT);
    if (typeof value !== 'string' || value.length > most) return `a text of at most ${most} characters`;
    return value.trim().length < minLength
      ? `a text of at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}, without the blanks around it`
      : undefined;
  },
  number: ({ min, max }, value) =>
    typeof value === 'number' && isBetween(value, min, max) ? undefined : `a number${formatRange(min, max)}`,
  yesNo: (_, value) => (typeof value === 'boolean' ? undefined : 'yes or no (in JSON true or false)'),
  date: ({ min, max }, value) =>
    isDate(value) && isBetween(value, dayOf(min), dayOf(max))
      ? undefined
      : `a date such as 2026-11-21${formatRange(dayOf(min), dayOf(max))}`,
};

const isBetween = <Value extends number | string>(
  value: Value,
  min: Json = null,
  max: Json = null,
): boolean => (min === null || value >= (min as Value)) && (max === null || value <= (max as Value));

function formatRange(min: Json = null, max: Json = null): string {
  return `${min === null ? '' : ` from ${String(min)}`}${max === null ? '' : ` up to ${String(max)}`}`;
}

/** An instant stands for its day. */
const dayOf = (value: Json = null): Json => (instantMs(value) === null ? value : String(value).slice(0, 10));

/** What is wrong with a field whose expressions are filled in. */
function fieldProblem(field: QuestionField): string | undefined {
  const { type = 'text', many = false, min = null, max = null } = field;
  for (const [name, limit] of Object.entries({ min, max })) {
    if (limit === null) continue;
    const isSound = type === 'date' ? isDate(dayOf(limit)) : typeof limit === 'number';
    if (!isSound)
      return `has ${name} ${JSON.stringify(limit)}, expected a ${type === 'date' && !many ? 'date' : 'number'}`;
  }
  const fallback = field.default ?? null;
  const problem = fallback === null ? undefined : valueProblem(field, fallback);
  return problem === undefined
    ? undefined
    : `has the default ${JSON.stringify(fallback)}, expected ${problem}`;
}

/** Whether each answer to the one is an answer to the other. */
export function isWidened(before: QuestionFields, now: QuestionFields): boolean {
  const hasAll = Object.entries(before).every(([name, field]) => {
    const wider = now[name];
    return wider !== undefined && isWiderField(field, wider);
  });
  return (
    hasAll && !Object.entries(now).some(([name, field]) => !mayLack(field) && !Object.hasOwn(before, name))
  );
}

const mayLack = ({ optional, default: initial }: QuestionField): boolean =>
  optional === true || initial !== undefined;

type Limit = Json | undefined;

const isLooserMin = (before: Limit, now: Limit): boolean =>
  now === undefined || now === before || isOrdered(now, before);

const isLooserMax = (before: Limit, now: Limit): boolean =>
  now === undefined || now === before || isOrdered(before, now);

/** Numbers, or dates; of two expressions nobody can say. */
function isOrdered(one: Limit = null, other: Limit = null): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one <= other;
  const [first, last] = [dayOf(one), dayOf(other)];
  return isDate(first) && isDate(last) && first <= last;
}

function isWiderField(before: QuestionField, now: QuestionField): boolean {
  const { choice } = now;
  const isOfOneKind =
    (before.type ?? 'text') === (now.type ?? 'text') && (before.many ?? false) === (now.many ?? false);
  const hasChoices = before.choice === undefined ? choice === undefined : choice !== undefined;
  return (
    isOfOneKind &&
    hasChoices &&
    (before.choice ?? []).every((each) => choice?.includes(each)) &&
    (mayLack(now) || !mayLack(before)) &&
    isLooserMin(before.min, now.min) &&
    isLooserMax(before.max, now.max) &&
    isLooserMin(before.minLength, now.minLength) &&
    isLooserMax(before.maxLength, now.maxLength)
  );
}

export function answerSchema(fields: QuestionFields): JsonSchema {
  const required = Object.entries(fields).flatMap(([name, field]) =>
    field.optional || hasDefault(field) ? [] : [name],
  );
  return objectOf(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
    required,
  );
}

function fieldSchema(field: QuestionField): JsonSchema {
  const { label, default: fallback = null } = field;
  return {
    ...kindSchema(field),
    ...(label !== undefined && { title: label }),
    ...(fallback !== null && { default: fallback }),
  };
}

function kindSchema(field: QuestionField): JsonSchema {
  const { type = 'text', choice, many, min, max } = field;
  const number = (value: Json | undefined, key: string) =>
    typeof value === 'number' ? { [key]: value } : {};
  if (choice && many)
    return {
      type: 'array',
      items: { type: 'string', enum: choice },
      uniqueItems: true,
      ...(field.optional ? {} : { minItems: 1 }),
      ...number(min, 'minItems'),
      ...number(max, 'maxItems'),
    };
  if (choice) return { type: 'string', enum: choice };
  if (type === 'number') return { type: 'number', ...number(min, 'minimum'), ...number(max, 'maximum') };
  if (type === 'date') return { type: 'string', format: 'date' };
  if (type === 'yesNo') return { type: 'boolean' };
  const { minLength, maxLength = LONGEST_TEXT } = field;
  return {
    type: 'string',
    maxLength: Math.min(maxLength, LONGEST_TEXT),
    ...number(minLength, 'minLength'),
  };
}
