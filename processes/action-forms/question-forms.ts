// The open questions of a process of a flow file: each as a form with a field for each part of the answer.

import { z } from 'zod';
import type { OpenQuestion, QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import { type TaskAction, taskActions } from '../../flows/language/machine/tasks.ts';
import { t } from '../../shared/texts/text.ts';
import { toNextStates } from '../views/awaited.ts';

interface QuestionFormInput extends Pick<OpenQuestion, 'id' | 'of' | 'fields' | 'until'> {
  readonly unanswered?: OpenQuestion['unanswered'] | undefined;
  readonly holder?: string | null | undefined;
  readonly heldSince?: string | null | undefined;
  readonly candidates?: readonly string[] | null | undefined;
  readonly not?: readonly string[];
}

const taskOf = (key: string, asked: QuestionFormInput): NonNullable<ActionForm['task']> => ({
  key,
  question: asked.id,
  inbox: asked.of,
  holder: asked.holder ?? null,
  heldSince: asked.heldSince ?? null,
  candidates: asked.candidates ?? null,
  not: asked.not ?? [],
});

export const questionForm = (key: string, asked: QuestionFormInput): ActionForm => {
  const { id, of, fields, until, unanswered, holder } = asked;
  const to = toNextStates(unanswered);
  return {
    id: `answer:${id}`,
    command: 'answer',
    label: t`Answer for ${holder ?? of}`,
    consequence: t`The case goes on with the answer, and keeps your name.${until ? t` Without one it goes on${to} at ${until}.` : ''}`,
    fields: Object.entries(fields).map(([name, field]) => fieldOf(name, field)),
    request: { path: `/v1/processes/${encodeURIComponent(key)}/answers`, body: { question: id } },
    task: taskOf(key, asked),
  };
};

export const isOfTask = (command: string): command is TaskAction =>
  taskActions.some((action) => action === command);

/** What can be done about who is to answer it. Only its holder releases it; the process says so to others. */
export function taskForms(key: string, question: QuestionFormInput): ActionForm[] {
  const isHeld = (question.holder ?? null) !== null;
  return taskActions
    .filter((action) => action === 'assign' || (action === 'release') === isHeld)
    .map((action) => taskForm(key, action, question));
}

export function taskForm(key: string, action: TaskAction, asked: QuestionFormInput): ActionForm {
  const { id, of, holder } = asked;
  const path = `/v1/processes/${encodeURIComponent(key)}/commands/${action}`;
  const form = {
    id: `${action}:${id}`,
    command: action,
    request: { path, body: { question: id } },
    fields: [],
    task: taskOf(key, asked),
  };
  switch (action) {
    case 'claim':
      return {
        ...form,
        label: t`Take it`,
        consequence: t`From then on nobody but you may answer it.`,
      };
    case 'release':
      return {
        ...form,
        label: t`Give it back`,
        consequence: t`Everybody of ${of} may take and answer it again. Only ${holder ?? t`its holder`} can do it.`,
      };
    case 'assign':
      return {
        ...form,
        label: t`Assign`,
        consequence: t`The person holds it then, and nobody else may answer it; in another inbox nobody holds it at first. The case keeps your name.`,
        fields: [
          { name: 'to', label: t`To`, kind: 'text', optional: true, hint: t`The name of a person.` },
          { name: 'of', label: t`Inbox`, kind: 'text', optional: true, hint: t`Another one than ${of}.` },
          { ...WHY_FIELD(), optional: true },
        ],
      };
  }
}

const nameOf = (field: string): string => `values.${field}`;

function fieldOf(name: string, field: QuestionField): ActionField {
  const { type = 'text', choice, many, label = name, optional } = field;
  const hint = many ? t`One on each line: ${choice?.join(', ')}` : formatLength(field);
  const suggested = Array.isArray(field.default) ? field.default.join('\n') : (field.default ?? undefined);
  const single = choice ? ('select' as const) : type;
  return {
    name: nameOf(name),
    label,
    kind: many ? 'lines' : single,
    ...(choice && { options: choice }),
    ...(many && { many }),
    ...limitsOf(field),
    ...(hint !== undefined && { hint }),
    ...(suggested !== undefined && { suggested: suggestedText(suggested) }),
    ...(optional && { optional }),
  };
}

/** What the browser's own field can keep to. The process has the last word. */
function limitsOf({ type, choice, minLength, maxLength, min, max }: QuestionField) {
  const isOrdered = choice === undefined && (type === 'number' || type === 'date');
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(isOrdered && min !== undefined && { min: String(min) }),
    ...(isOrdered && max !== undefined && { max: String(max) }),
  };
}

function formatLength({ minLength, maxLength }: QuestionField): string | undefined {
  if (minLength !== undefined && maxLength !== undefined) return t`${minLength} to ${maxLength} characters.`;
  if (minLength !== undefined) return t`At least ${minLength} characters.`;
  return maxLength === undefined ? undefined : t`At most ${maxLength} characters.`;
}

function suggestedText(value: unknown): string {
  if (typeof value !== 'boolean') return String(value);
  return value ? 'yes' : 'no';
}

const actionField = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'lines', 'number', 'yesNo', 'date', 'instant', 'json', 'select', 'person']),
  options: z.array(z.string()).readonly().exactOptional(),
  optionLabels: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .meta({ description: 'The text shown for each option, in the same order' }),
  none: z
    .string()
    .exactOptional()
    .meta({ description: 'The text for none of the options, where that may be chosen' }),
  unless: z
    .string()
    .exactOptional()
    .meta({ description: 'Shown and sent only while this other field of the form is empty' }),
  hint: z.string().exactOptional(),
  optional: z.literal(true).exactOptional(),
  many: z
    .literal(true)
    .exactOptional()
    .meta({ description: 'Several options may be selected; the value has one per line' }),
  minLength: z.int().exactOptional(),
  maxLength: z.int().exactOptional(),
  min: z.string().exactOptional().meta({ description: 'For a number or a date only' }),
  max: z.string().exactOptional(),
  suggested: z.string().exactOptional().meta({ description: 'The initial value' }),
  extends: z
    .object({ field: z.string(), ends: z.record(z.string(), z.string()).readonly() })
    .readonly()
    .exactOptional()
    .meta({
      description:
        'The instant must be later than the current end of the item selected in `field`; `ends` has one for each option',
    }),
  parts: z.array(z.string()).readonly().exactOptional().meta({
    description:
      'The request fields that a dotted value such as issue.pickUp is split into; absent: the one named `name`',
  }),
  saysFor: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .meta({ description: 'Request fields without an input, whose errors are shown at this field' }),
});
export type ActionField = Readonly<z.infer<typeof actionField>>;

export const WHY_FIELD = (): ActionField => ({
  name: 'why',
  label: t`Why`,
  kind: 'lines',
  hint: t`It is kept, with your name.`,
});

const formRequest = z
  .object({ path: z.string(), body: z.record(z.string(), z.unknown()).readonly() })
  .readonly()
  .meta({
    description:
      'What carries it out. The fields go into its body; `values.cost` is the field cost within values',
  });
export type FormRequest = z.infer<typeof formRequest>;

export const actionForm = z
  .object({
    id: z.string().meta({ description: 'Unique among the forms of the process' }),
    command: z
      .string()
      .exactOptional()
      .meta({ description: 'The command that it gives to a process; absent: it is none of a process' }),
    label: z.string().meta({ description: 'Of its button' }),
    consequence: z.string().meta({ description: 'One or two sentences' }),
    fields: z.array(actionField.readonly()).readonly(),
    request: formRequest,
    isDestructive: z.literal(true).exactOptional().meta({ description: 'Irreversible, or possibly harmful' }),
    task: z
      .object({
        key: z.string(),
        question: z.string(),
        inbox: z.string(),
        holder: z.string().nullable(),
        heldSince: z.string().nullable(),
        candidates: z.array(z.string()).readonly().nullable(),
        not: z.array(z.string()).readonly(),
      })
      .readonly()
      .exactOptional()
      .meta({ description: 'The question that it is about, with who may answer it and who may not' }),
    of: z
      .object({ key: z.string(), flow: z.string(), title: z.string() })
      .readonly()
      .exactOptional()
      .meta({ description: 'The flow that it is done to, where the process shown has started that' }),
  })
  .meta({ title: 'ActionForm' });
export type ActionForm = Readonly<z.infer<typeof actionForm>>;
