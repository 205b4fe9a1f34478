// The answer to a question, by its own fields: few choices are buttons. One press that ends the process, or that four eyes guard, is
// confirmed, with what follows from it.
import { useState } from 'preact/hooks';
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
import { Button } from '../parts/button.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';

interface AnswerProps {
  readonly entry: WorkEntry;
  readonly form: ActionForm;
  readonly answered: (id: string, words: string) => void;
}

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

interface ToConfirm extends AnswerPreview {
  readonly given: FieldValues;
}

export function Answer({ entry, form, answered }: AnswerProps) {
  const { fields, task } = form;
  const [values, setValues] = useState(() => firstValues(fields, Date.now() + entry.clockAheadMs));
  const [toConfirm, setToConfirm] = useState<ToConfirm>();
  const { isBusy, refusal, run } = useSubmission(
    async (given: FieldValues) => {
      await send(form, given);
      const shown = fields.map(({ name, label }) => `${label}: ${given[name] || '–'}`).join(', ');
      return `Answered: ${entry.title}${shown && ` (${shown})`}`;
    },
    (said) => answered(entry.id, said),
  );
  const isGuarded = (task?.not ?? []).length > 0;
  const press = useSubmission(
    async (given: FieldValues): Promise<ToConfirm> => ({ given, ...(await previewAnswer(form, given)) }),
    (asked) => (isGuarded || asked.isFinal ? setToConfirm(asked) : run(asked.given)),
  );
  const only = onlyChoice(fields);
  const isOnePress = only !== undefined || fields.length === 0;
  const wrong = refusal ?? press.refusal;
  return (
    <form
      class="answer"
      aria-label="Answer"
      // The server says what is missing, at its field.
      noValidate
      onSubmit={onSubmit(() => !only && (isOnePress ? press.run(values) : run(values)))}
    >
      <JudgedBefore form={form} />
      {only && (
        <fieldset class="row">
          <legend>{only.label}</legend>
          {valuesOf(only).map((value, index) => (
            <Button
              key={value}
              kind="main"
              press={() => press.run({ [only.name]: value })}
              isBusy={isBusy || press.isBusy}
            >
              {only.optionLabels?.[index] ?? value}
            </Button>
          ))}
        </fieldset>
      )}
      {!only && (
        <>
          <FormInputs
            fields={fields}
            values={values}
            refusal={refusal}
            set={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          />
          <Button kind="main" isBusy={isBusy || press.isBusy}>
            Answer
          </Button>
        </>
      )}
      {toConfirm && (
        <Confirmation
          toConfirm={toConfirm}
          label={only ? `Answer “${toConfirm.given[only.name]}”` : 'Answer'}
          isBusy={isBusy}
          confirm={() => run(toConfirm.given)}
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
    <section class="note" role="alert" aria-label="Confirm the answer">
      <p>
        What follows: <TextWithTimes text={words} />.{isFinal && ' This cannot be taken back.'}
      </p>
      <p class="row">
        <Button kind={isFinal ? 'danger' : 'main'} press={confirm} isBusy={isBusy}>
          {label}
        </Button>
        <Button press={close}>Not yet</Button>
      </p>
    </section>
  );
}
