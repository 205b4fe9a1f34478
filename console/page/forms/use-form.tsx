// A form as far as it is filled in: its values, what is wrong with them, and sending it.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { FormField } from '../../desk/desk-view.ts';
import { RequestError, useSubmission } from '../api.ts';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { inputOf, type Values } from './form-values.ts';
import { nameApart } from './labels.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * @param initial what stands in it at first
 * @param send throws RequestError
 */
export function useForm<Answer>(
  fields: readonly FormField[],
  initial: Values,
  send: (input: Input) => Promise<Answer>,
  done: (answer: Answer) => void,
) {
  const [values, setValues] = useState(initial);
  const { isBusy, refusal, run } = useSubmission(async () => {
    const { input, wrong } = inputOf(fields, values);
    if (Object.keys(wrong).length > 0) throw new RequestError(0, 'InvalidRequest', '', wrong);
    return await send(input);
  }, done);
  return {
    values,
    isBusy,
    refusal,
    wrong: refusal?.fields ?? {},
    change: (changes: Values) => setValues((before) => ({ ...before, ...changes })),
    submit: onSubmit(run),
  };
}

interface FormRefusalProps {
  readonly refusal: RequestError | undefined;
  /** In the order in which they stand in the form. */
  readonly fields: readonly FormField[];
}

/** Which fields are wrong, by their labels; or why it was refused. */
export function FormRefusal({ refusal, fields }: FormRefusalProps) {
  if (!refusal) return null;
  const wrong = Object.keys(refusal.fields);
  const all = flat(fields).sort((one, other) => other.path.length - one.path.length);
  const shown = wrong.flatMap((path) => {
    const field = all.find((each) => path === each.path || path.startsWith(`${each.path}.`));
    return field && field.path !== 'request' ? [field] : [];
  });
  const inOrder = flat(fields).filter((each) => shown.includes(each));
  const named = inOrder.map(({ path }) => nameApart(path, fields));
  if (wrong.length > 0 && shown.length === wrong.length)
    return <RefusalNote refusal={{ message: t`Please look at: ${[...new Set(named)].join(', ')}.` }} />;
  return <RefusalNote refusal={refusal} />;
}

const flat = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => [field, ...flat(field.children ?? [])]);
