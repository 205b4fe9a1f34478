// The form of one action on a process, or of the inbox: what follows from it, its fields, and the button that does it.
import { useEffect, useState } from 'preact/hooks';
import { capitalized } from '../../../processes/views/format-names.ts';
import { t } from '../../../shared/texts/text.ts';
import type { ActionForm } from '../../processes/processes-view.ts';
import { useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { Answer } from './answer.tsx';
import { FormInputs } from './form-input.tsx';
import {
  type ActionResult,
  type FieldValues,
  firstValues,
  instantsFor,
  previewAction,
  send,
} from './form-request.ts';

interface ActionDialogProps {
  readonly form: ActionForm;
  /** What it is done to, where the view around does not tell it. */
  readonly about?: string;
  /** How far the clock of the process is ahead of the real time: a sandbox's. */
  readonly clockAheadMs?: number;
  readonly close: () => void;
  readonly done: (answer: ActionResult) => void;
}

export function ActionDialog({ form, about, clockAheadMs = 0, close, done }: ActionDialogProps) {
  const { label, consequence, fields, isDestructive } = form;
  const nowMs = () => Date.now() + clockAheadMs;
  const [values, setValues] = useState(() => firstValues(fields, nowMs()));
  const set = (name: string, value: string) =>
    setValues((before) => {
      const after = { ...before, [name]: value };
      // Another deadline ends at another time.
      const extended = fields.filter((each) => each.extends?.field === name);
      return { ...after, ...instantsFor(extended, after, nowMs()) };
    });
  const { isBusy, refusal, run } = useSubmission(() => send(form, values), done);
  return (
    <Dialog title={label} close={close} closeLabel={t`Do nothing`}>
      {about && <p class="soft">{about}</p>}
      <p>
        <TextWithTimes text={consequence} />
      </p>
      {form.command === 'answer' ? (
        <Answer
          form={form}
          clockAheadMs={clockAheadMs}
          answered={({ words }) => done({ done: `${t`Answered`}: ${words}` })}
        />
      ) : (
        <form
          // The server says what is missing, at its field.
          noValidate
          onSubmit={onSubmit(run)}
        >
          <FormInputs fields={fields} values={values} refusal={refusal} set={set} />
          {(form.command === 'extend' || form.command === 'shorten') && (
            <Preview form={form} values={values} />
          )}
          {refusal && <RefusalNote refusal={refusal} />}
          <Button kind={isDestructive ? 'danger' : 'main'} isBusy={isBusy}>
            {label}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

/** A person stops typing for as long. */
const STILL_MS = 300;

/** What would follow, before it is done: from when to when. */
function Preview({ form, values }: { readonly form: ActionForm; readonly values: FieldValues }) {
  const [words, setWords] = useState<string | null>(null);
  const { why: _, ...chosen } = values;
  const of = JSON.stringify(chosen);
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(async () => {
      const shown = await previewAction(form, values);
      if (!isOld) setWords(shown);
    }, STILL_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [form.id, of]);
  return <p role="status">{words && <TextWithTimes text={`${capitalized(words)}.`} />}</p>;
}

type ActionButtonProps = Omit<ActionDialogProps, 'close' | 'done'> & {
  readonly disabled?: boolean;
  readonly title?: string;
  readonly done?: (answer: ActionResult) => void;
};

/** It asks before it acts. */
export function ActionButton({ disabled, title, done, ...asked }: ActionButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { label, isDestructive } = asked.form;
  return (
    <>
      <Button
        press={() => setOpen(true)}
        kind={isDestructive ? 'danger' : undefined}
        disabled={disabled}
        title={title}
      >
        {label}…
      </Button>
      {isOpen && (
        <ActionDialog
          {...asked}
          close={() => setOpen(false)}
          done={(answer) => {
            setOpen(false);
            done?.(answer);
          }}
        />
      )}
    </>
  );
}
