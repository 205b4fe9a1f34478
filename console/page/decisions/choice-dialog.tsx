// One choice of a person, of a process or of the inbox: what follows from it, its fields, and the button that does it.
import { useState } from 'preact/hooks';
import type { Choice, ChoiceField } from '../../decisions/choice-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useDoing } from '../shell/api.ts';
import { ChoiceInput } from './choice-input.tsx';
import { type Done, send, wrongAt } from './choice-request.ts';

export interface ChoiceDialogProps {
  readonly choice: Choice;
  /** What it is done to, where the view around does not tell it. */
  readonly about?: string;
  readonly close: () => void;
  readonly done: (answer: Done) => void;
}

export function ChoiceDialog({ choice, about, close, done }: ChoiceDialogProps) {
  const { label, consequence, fields, isDestructive } = choice;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => firstOf(fields));
  const { isBusy, refusal, run } = useDoing(() => send(choice, values), done);
  return (
    <Dialog title={label} close={close} closeLabel="Do nothing">
      {about && <p class="soft">{about}</p>}
      <p>{consequence}</p>
      <form
        // The server says what is missing, at its field.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          run(undefined);
        }}
      >
        {fields.map((field) => (
          <ChoiceInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            wrong={wrongAt(field, refusal?.fields ?? {})}
            set={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {refusal && <RefusalNote refusal={refusal} />}
        <Button kind={isDestructive ? 'danger' : 'main'} isBusy={isBusy}>
          {label}
        </Button>
      </form>
    </Dialog>
  );
}

const DAY_MS = 86_400_000;

/** What is suggested, and what is the only possibility; the rest a person chooses. */
function firstOf(fields: readonly ChoiceField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind, options = [], optional, suggested }) => {
      if (suggested !== undefined) return [name, suggested];
      if (kind === 'instant') return [name, localOf(new Date(Date.now() + DAY_MS))];
      return [name, !optional && options.length === 1 ? (options[0] ?? '') : ''];
    }),
  );
}

/** As the browser's field has it: without a zone, which is the reader's. */
function localOf(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
