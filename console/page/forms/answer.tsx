// The answer to a question, by its own fields: few choices are buttons. One that ends the process, or that four eyes guard, is confirmed,
// with what follows from it.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { ActionField, ActionForm } from '../../processes/processes-view.ts';
import { useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { FormInputs } from './form-input.tsx';
import { type AnswerPreview, type FieldValues, firstValues, previewAnswer, send } from './form-request.ts';
import { JudgedBefore } from './judged-before.tsx';
import { yesNo } from './labels.ts';

/** What was said, and what follows from it, for people. */
export interface GivenAnswer {
  readonly words: string;
  readonly follows: string;
}

interface AnswerProps {
  readonly form: ActionForm;
  readonly clockAheadMs: number;
  readonly answered: (given: GivenAnswer) => void;
}

/** Who looks at another entry meanwhile finds what was filled in. */
const drafts = new Map<string, FieldValues>();

const MAX_BUTTONS = 6;
const valuesOf = ({ kind, options = [] }: ActionField): readonly string[] =>
  (({ yesNo: ['yes', 'no'], select: options }) as Partial<Record<string, readonly string[]>>)[kind] ?? [];

/** The one field has its choices as buttons that answer at once. */
const isButtons = ({ length }: readonly ActionField[], only: ActionField): boolean =>
  length === 1 && !only.optional && valuesOf(only).length <= MAX_BUTTONS;

const formatAnswer = (fields: readonly ActionField[], given: FieldValues): string =>
  fields.map((field) => `${field.label}: ${labelOfValue(field, given[field.name] || '–')}`).join(', ');

const labelOfValue = (field: ActionField, value: string): string =>
  field.optionLabels?.[valuesOf(field).indexOf(value)] ??
  (field.kind === 'yesNo' ? yesNo[value] : undefined) ??
  value;

interface ToConfirm extends AnswerPreview {
  readonly given: FieldValues;
}

export function Answer({ form, clockAheadMs, answered }: AnswerProps) {
  const { fields, task, request } = form;
  const draft = request.path + form.id;
  const [values, setValues] = useState(
    () => drafts.get(draft) ?? firstValues(fields, Date.now() + clockAheadMs),
  );
  useEffect(() => void drafts.set(draft, values), [values]);
  const [toConfirm, setToConfirm] = useState<ToConfirm>();
  const { isBusy, refusal, run } = useSubmission(
    async ({ given, words: follows }: ToConfirm): Promise<GivenAnswer> => {
      await send(form, given);
      return { words: formatAnswer(fields, given), follows };
    },
    (given) => {
      drafts.delete(draft);
      answered(given);
    },
  );
  const isGuarded = (task?.not ?? []).length > 0;
  const press = useSubmission(
    async (given: FieldValues): Promise<ToConfirm> => ({ given, ...(await previewAnswer(form, given)) }),
    (asked) => (isGuarded || asked.isFinal ? setToConfirm(asked) : run(asked)),
  );
  const choices = fields.filter((each) => valuesOf(each).length > 0);
  const only = choices.find((each) => isButtons(fields, each));
  const wrong = refusal ?? press.refusal;
  return (
    <form
      class="answer"
      aria-label={t`Answer`}
      // The server says what is missing, at its field.
      noValidate
      onSubmit={onSubmit(() => !only && press.run(values))}
    >
      <JudgedBefore form={form} />
      {only ? (
        <fieldset class="row">
          <legend>{only.label}</legend>
          {valuesOf(only).map((value) => (
            <Button
              key={value}
              kind={toConfirm ? undefined : 'main'}
              press={() => press.run({ [only.name]: value })}
              isBusy={isBusy || press.isBusy}
            >
              {labelOfValue(only, value)}
            </Button>
          ))}
        </fieldset>
      ) : (
        <>
          <FormInputs
            fields={fields}
            values={values}
            refusal={wrong}
            set={(name, value) => {
              setToConfirm(undefined);
              setValues((before) => ({ ...before, [name]: value }));
            }}
          />
          {!toConfirm && <Button kind="main" isBusy={isBusy || press.isBusy}>{t`Answer`}</Button>}
        </>
      )}
      {toConfirm && (
        <section class="note" role="alert" aria-label={t`Confirm the answer`}>
          <p>
            <strong>{t`Not answered yet`}</strong>
          </p>
          <p>
            {t`What follows:`} <TextWithTimes text={toConfirm.words} />.
            {toConfirm.isFinal && t` This cannot be taken back.`}
          </p>
          <p class="row">
            <Button kind="main" press={() => run(toConfirm)} isBusy={isBusy}>
              {choices.length > 0 ? t`Answer “${formatAnswer(choices, toConfirm.given)}”` : t`Answer`}
            </Button>
            <Button press={() => setToConfirm(undefined)}>{t`Not yet`}</Button>
          </p>
        </section>
      )}
      {wrong && <RefusalNote refusal={wrong} />}
    </form>
  );
}
