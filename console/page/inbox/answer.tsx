// The answer to a question, by its own fields: few choices are buttons. One that ends the process, or that four eyes guard, is confirmed,
// with what follows from it.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { ActionField, ActionForm, WorkEntry } from '../../processes/processes-view.ts';
import { useSubmission } from '../api.ts';
import { FormInputs } from '../forms/form-input.tsx';
import {
  type AnswerPreview,
  type FieldValues,
  firstValues,
  previewAnswer,
  send,
} from '../forms/form-request.ts';
import { JudgedBefore } from '../forms/judged-before.tsx';
import { yesNo } from '../forms/labels.ts';
import { Button } from '../parts/button.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';

/** What was said, and what follows from it, for people. */
export interface GivenAnswer {
  readonly words: string;
  readonly follows: string;
}

interface AnswerProps {
  readonly entry: WorkEntry;
  readonly form: ActionForm;
  readonly answered: (entry: WorkEntry, given: GivenAnswer) => void;
}

/** Who looks at another entry meanwhile finds what was filled in. */
const drafts = new Map<string, FieldValues>();

const MAX_BUTTONS = 6;
const valuesOf = ({ kind, options = [] }: ActionField): readonly string[] =>
  (({ yesNo: ['yes', 'no'], select: options }) as Partial<Record<string, readonly string[]>>)[kind] ?? [];

/** The one field whose choices are buttons that answer at once. */
function onlyChoice(fields: readonly ActionField[]): ActionField | undefined {
  const [only, ...others] = fields;
  if (!only || others.length > 0 || only.optional) return undefined;
  const { length } = valuesOf(only);
  return length > 0 && length <= MAX_BUTTONS ? only : undefined;
}

/** As its button has it. */
function formatValue(field: ActionField, given: FieldValues): string {
  const value = given[field.name] || '–';
  return labelOfValue(field, value);
}

const labelOfValue = (field: ActionField, value: string): string =>
  field.optionLabels?.[valuesOf(field).indexOf(value)] ??
  (field.kind === 'yesNo' ? yesNo[value] : undefined) ??
  value;

interface ToSend extends Partial<AnswerPreview> {
  readonly given: FieldValues;
}

type ToConfirm = Required<ToSend>;

export function Answer({ entry, form, answered }: AnswerProps) {
  const { fields, task } = form;
  const [values, setValues] = useState(
    () => drafts.get(form.id + entry.id) ?? firstValues(fields, Date.now() + entry.clockAheadMs),
  );
  useEffect(() => void drafts.set(form.id + entry.id, values), [values]);
  const [toConfirm, setToConfirm] = useState<ToConfirm>();
  const { isBusy, refusal, run } = useSubmission(
    async ({ given, ...preview }: ToSend): Promise<GivenAnswer> => {
      const follows = preview.words ?? (await previewAnswer(form, given)).words;
      await send(form, given);
      const words = fields.map((field) => `${field.label}: ${formatValue(field, given)}`).join(', ');
      return { words, follows };
    },
    (given) => {
      drafts.delete(form.id + entry.id);
      answered(entry, given);
    },
  );
  const isGuarded = (task?.not ?? []).length > 0;
  const press = useSubmission(
    async (given: FieldValues): Promise<ToConfirm> => ({ given, ...(await previewAnswer(form, given)) }),
    (asked) => (isGuarded || asked.isFinal ? setToConfirm(asked) : run(asked)),
  );
  const only = onlyChoice(fields);
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
      {only && (
        <fieldset class="row">
          <legend>{only.label}</legend>
          {valuesOf(only).map((value) => (
            <Button
              key={value}
              kind="main"
              press={() => press.run({ [only.name]: value })}
              isBusy={isBusy || press.isBusy}
            >
              {labelOfValue(only, value)}
            </Button>
          ))}
        </fieldset>
      )}
      {!only && (
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
        <Confirmation
          toConfirm={toConfirm}
          label={only ? t`Answer “${formatValue(only, toConfirm.given)}”` : t`Yes, answer`}
          isBusy={isBusy}
          confirm={() => run(toConfirm)}
          close={() => setToConfirm(undefined)}
        />
      )}
      {wrong && <RefusalNote refusal={wrong} />}
    </form>
  );
}

interface ConfirmationProps {
  readonly toConfirm: ToConfirm;
  readonly label: string;
  readonly isBusy: boolean;
  readonly confirm: () => void;
  readonly close: () => void;
}

function Confirmation({ toConfirm: { words, isFinal }, label, isBusy, confirm, close }: ConfirmationProps) {
  return (
    <section class="note" role="alert" aria-label={t`Confirm the answer`}>
      <p>
        <strong>{t`Not answered yet.`}</strong> {t`What follows:`} <TextWithTimes text={words} />.
        {isFinal && t` This cannot be taken back.`}
      </p>
      <p class="row">
        <Button kind={isFinal ? 'danger' : 'main'} press={confirm} isBusy={isBusy}>
          {label}
        </Button>
        <Button press={close}>{t`Not yet`}</Button>
      </p>
    </section>
  );
}
