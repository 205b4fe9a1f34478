// The open questions of a process of a flow file: each as a choice with a field for each part of the answer, as a form.
import type { OpenQuestion, QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import type { Choice, ChoiceField } from './choice-view.ts';

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

function fieldOf(name: string, field: QuestionField): ChoiceField {
  const { type = 'text', choice, many, label = name, optional } = field;
  const hint = many ? `One on each line: ${choice?.join(', ')}` : field.pattern;
  const suggested = Array.isArray(field.default) ? field.default.join('\n') : (field.default ?? undefined);
  const single = choice ? ('select' as const) : type;
  return {
    ...{ name: nameOf(name), label, kind: many ? 'lines' : single },
    ...(choice && !many && { options: choice }),
    ...(hint !== undefined && { hint }),
    ...(suggested !== undefined && { suggested: suggestedText(suggested) }),
    ...(optional && { optional }),
  };
}

function suggestedText(value: unknown): string {
  if (typeof value !== 'boolean') return String(value);
  return value ? 'yes' : 'no';
}
