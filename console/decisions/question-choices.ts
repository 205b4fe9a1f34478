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
