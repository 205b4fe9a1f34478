// The open questions of a process of a flow file, as choices with a field for each part of the answer.
import type { OpenQuestion, QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import type { Choice, ChoiceField } from './choices-view.ts';

export const ANSWER = 'answer:';

export const answerChoices = (questions: readonly OpenQuestion[]): Choice[] =>
  questions.map(({ id, of, question, fields, until }) => ({
    ...{ id: `${ANSWER}${id}`, label: `Answer for ${of}` },
    consequence: `${question} The process goes on with the answer, and keeps your name.${until ? ` Without one it goes on at ${until}.` : ''}`,
    fields: Object.entries(fields).map(([name, field]) => fieldOf(name, field)),
  }));

const kinds = { text: 'text', number: 'number', yesNo: 'yesNo' } as const;

function fieldOf(
  name: string,
  { type = 'text', choice, label = name, optional }: QuestionField,
): ChoiceField {
  return {
    ...{ name: `values.${name}`, label, kind: choice ? 'select' : kinds[type] },
    ...(choice && { options: choice }),
    ...(optional && { optional }),
  };
}
