// A form as far as it is filled in: its values, what is wrong with them, and sending it.
import { useState } from 'preact/hooks';
import type { FormField } from '../../desk/desk-view.ts';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Refusal, useDoing } from '../shell/api.ts';
import { currentMessages } from '../shell/locale.ts';
import { labelOf } from './form-fields.tsx';
import { inputOf, type Values } from './form-values.ts';

export type Input = Readonly<Record<string, unknown>>;

/**
 * @param initial what stands in it at first
 * @param send throws Refusal
 */
export function useForm<Answer>(
  fields: readonly FormField[],
  initial: Values,
  send: (input: Input, values: Values) => Promise<Answer>,
  done: (answer: Answer) => void,
) {
  const [values, setValues] = useState(initial);
  const { isBusy, refusal, run, forget } = useDoing(async () => {
    const { input, wrong } = inputOf(fields, values);
    if (Object.keys(wrong).length > 0) throw new Refusal(0, 'InvalidRequest', '', wrong);
    return await send(input, values);
  }, done);
  return {
    values,
    isBusy,
    refusal,
    forget,
    wrong: refusal?.fields ?? {},
    change: (changes: Values) => setValues((before) => ({ ...before, ...changes })),
    submit: onSubmit(run),
  };
}

interface FormRefusalProps {
  readonly refusal: Refusal | undefined;
  /** In the order in which they stand in the form. */
  readonly fields: readonly FormField[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** Which fields are wrong, by their labels; or why it was refused. */
export function FormRefusal({ refusal, fields, labels = {} }: FormRefusalProps) {
  if (!refusal) return null;
  const { forms: words } = currentMessages().desk;
  const wrong = Object.keys(refusal.fields);
  const all = flat(fields).sort((one, other) => other.path.length - one.path.length);
  const shown = wrong.flatMap((path) => {
    const field = all.find((each) => path === each.path || path.startsWith(`${each.path}.`));
    return field && field.path !== 'request' ? [field] : [];
  });
  const inOrder = flat(fields).filter((each) => shown.includes(each));
  const named = inOrder.map((field) => labels[field.path] ?? labelOf(field));
  if (wrong.length > 0 && shown.length === wrong.length)
    return <RefusalNote refusal={{ message: words.lookAt([...new Set(named)].join(', ')) }} />;
  return <RefusalNote refusal={{ message: refusalMessage(refusal.error, refusal.message) }} />;
}

const flat = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => [field, ...flat(field.children ?? [])]);

/** In the reader's language where the catalogue has it, and without the code. */
export function refusalMessage(code: string, message: string): string {
  const words: Readonly<Record<string, string>> = currentMessages().desk.refusals;
  return words[code] ?? message;
}
