// The open questions of a process of a flow file: each as a choice with a field for each part of the answer, and the answer.
import { type AtTemporal, answered } from '../../client/command-line/temporal.ts';
import type { OpenQuestion, QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { Choice, ChoiceField } from './choice-view.ts';
import { refusedFields, type Values } from './read-values.ts';

const ANSWER = 'answer:';

export const choiceIdOf = (questionId: string): string => `${ANSWER}${questionId}`;

export const questionChoice = ({ id, of, fields, until }: OpenQuestion): Choice => ({
  ...{ id: choiceIdOf(id), label: `Answer for ${of}` },
  consequence: `The process goes on with the answer, and keeps your name.${until ? ` Without one it goes on at ${until}.` : ''}`,
  fields: Object.entries(fields).map(([name, field]) => fieldOf(name, field)),
});

/** Undefined: this choice answers no question. */
export const questionOf = (choiceId: string): string | undefined =>
  choiceId.startsWith(ANSWER) ? choiceId.slice(ANSWER.length) : undefined;

const nameOf = (field: string): string => `values.${field}`;

function fieldOf(
  name: string,
  { type = 'text', choice, label = name, optional }: QuestionField,
): ChoiceField {
  return {
    ...{ name: nameOf(name), label, kind: choice ? 'select' : type },
    ...(choice && { options: choice }),
    ...(optional && { optional }),
  };
}

export interface Answering {
  readonly key: string;
  readonly question: string;
  readonly values: Values;
  readonly by: string;
}

/** Throws a ConsoleRefusal where it does not fit its fields, or is not asked any more. */
export async function answerQuestion(
  temporal: AtTemporal,
  { key, question, values, by }: Answering,
): Promise<void> {
  const handle = temporal.flows.fileHandle(key);
  const { questions = [] } = await answered(temporal, () => handle.progress());
  const asked = questions.find(({ id }) => id === question);
  if (!asked)
    throw new ConsoleRefusal(
      409,
      'AlreadyAnswered',
      `${key} does not ask this any more: somebody has answered, or its time has passed`,
    );
  const read = Object.entries(asked.fields).map(([name, field]) => ({
    name,
    ...answerValue(field, values[nameOf(name)]),
  }));
  const wrong = read.flatMap(({ name, problem }) => (problem ? [[nameOf(name), problem]] : []));
  if (wrong.length > 0) throw refusedFields(Object.fromEntries(wrong));
  const given = read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  await answered(temporal, () => handle.answer({ question, values: Object.fromEntries(given), by }));
}

interface Read {
  /** Absent if it is optional and left out. */
  readonly value?: string | number | boolean;
  readonly problem?: string;
}

/** As the process takes it. */
function answerValue({ type, choice, optional }: QuestionField, given: unknown): Read {
  if (given === undefined || given === null || given === '') return optional ? {} : { problem: 'is missing' };
  if (choice)
    return typeof given === 'string' && choice.includes(given)
      ? { value: given }
      : { problem: `must be one of ${choice.join(', ')}` };
  if (type === 'number') {
    const value = Number(given);
    return Number.isFinite(value) ? { value } : { problem: 'must be a number' };
  }
  if (type === 'yesNo')
    return typeof given === 'boolean' ? { value: given } : { problem: 'must be yes or no' };
  return typeof given === 'string' ? { value: given } : { problem: 'must be a text' };
}
