// One choice of a person, of a process or of the inbox: what follows from it, its fields, and the button that does it.
import { useState } from 'preact/hooks';
import type { Choice, ChoiceField } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { InWords } from '../parts/time.tsx';
import { useDoing } from '../shell/api.ts';
import { ChoiceInputs } from './choice-input.tsx';
import { type ChoiceResult, firstValues, instantsFor, send } from './choice-request.ts';

interface ChoiceDialogProps {
  readonly choice: Choice;
  /** What it is done to, where the view around does not tell it. */
  readonly about?: string;
  /** How far the clock of the process is ahead of the real time: a sandbox's. */
  readonly clockAheadMs?: number;
  readonly close: () => void;
  readonly done: (answer: ChoiceResult) => void;
}

export function ChoiceDialog({ choice, about, clockAheadMs = 0, close, done }: ChoiceDialogProps) {
  const { label, consequence, fields, isDestructive } = choice;
  const nowMs = () => Date.now() + clockAheadMs;
  const [values, setValues] = useState(() => firstValues(fields, nowMs()));
  const set = (name: string, value: string) =>
    setValues((before) => {
      const after = { ...before, [name]: value };
      // Another deadline ends at another time.
      const extended = fields.filter((each) => each.extends?.field === name);
      return { ...after, ...instantsFor(extended, after, nowMs()) };
    });
  const { isBusy, refusal, run } = useDoing(() => send(choice, values), done);
  return (
    <Dialog title={label} close={close} closeLabel="Do nothing">
      {about && <p class="soft">{about}</p>}
      <p>
        <InWords text={consequence} />
      </p>
      <form
        // The server says what is missing, at its field.
        noValidate
        onSubmit={onSubmit(run)}
      >
        <ChoiceInputs fields={fields} values={values} refusal={refusal} set={set} />
        {refusal && <RefusalNote refusal={refusal} />}
        <Button kind={isDestructive ? 'danger' : 'main'} isBusy={isBusy}>
          {label}
        </Button>
      </form>
    </Dialog>
  );
}

type ChoiceButtonProps = Omit<ChoiceDialogProps, 'close' | 'done'> & {
  readonly disabled?: boolean;
  readonly title?: string;
  readonly done?: (answer: ChoiceResult) => void;
};

/** It asks before it acts. */
export function ChoiceButton({ disabled, title, done, ...asked }: ChoiceButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { label, isDestructive } = asked.choice;
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
        <ChoiceDialog
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

/** For what needs a reason. */
export const whyField = (hint: string): ChoiceField => ({
  name: 'why',
  label: 'Why',
  kind: 'lines',
  hint,
});
