// The open questions of a process of a flow file: each as a choice with a field for each part of the answer.
import type { OpenQuestion, QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import type { Choice, ChoiceField } from './choice.ts';

type Asked = Pick<OpenQuestion, 'id' | 'of' | 'fields' | 'until'>;

export const questionChoice = (key: string, { id, of, fields, until }: Asked): Choice => ({
  ...{ id: `answer:${id}`, label: `Answer for ${of}` },
  consequence: `The process goes on with the answer, and keeps your name.${until ? ` Without one it goes on at ${until}.` : ''}`,
  fields: Object.entries(fields).map(([name, field]) => fieldOf(name, field)),
  request: { path: `/v1/processes/${encodeURIComponent(key)}/answers`, body: { question: id } },
});

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
