// One choice: what follows from it, its fields, and the button that does it.
import { useState } from 'preact/hooks';
import type { Choice, ChoiceField } from '../../process/choices-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, SelectField, TextField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { postJson, useDoing } from '../shell/api.ts';

export interface ChoiceDialogProps {
  readonly path: string;
  readonly choice: Choice;
  readonly close: () => void;
  readonly done: () => void;
}

export function ChoiceDialog({ path, choice, close, done }: ChoiceDialogProps) {
  const { id, label, consequence, fields, isDanger } = choice;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => firstOf(fields));
  const doing = useDoing(() => postJson(`${path}/do`, { id, values: sentOf(fields, values) }), done);
  return (
    <Dialog title={label} close={close} closeLabel="Do nothing">
      <p>{consequence}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          doing.run(undefined);
        }}
      >
        {fields.map((field) => (
          <ChoiceInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            wrong={doing.refusal?.fields[field.name]}
            set={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {doing.refusal && <RefusalNote refusal={doing.refusal} />}
        <Button kind={isDanger ? 'danger' : 'main'} isBusy={doing.isBusy}>
          {label}
        </Button>
      </form>
    </Dialog>
  );
}

interface InputProps {
  readonly field: ChoiceField;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly set: (value: string) => void;
}

function ChoiceInput({ field, value, wrong, set }: InputProps) {
  const { label, kind, options = [], hint, optional } = field;
  const frame = {
    label: optional ? `${label} (may be empty)` : label,
    hint,
    wrong,
    value,
    required: !optional,
  };
  const heard = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    set(currentTarget.value);
  if (kind === 'select' || kind === 'yesNo')
    return (
      <SelectField {...frame} onChange={heard}>
        {optional && <option value="">–</option>}
        {(kind === 'yesNo' ? ['yes', 'no'] : options).map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </SelectField>
    );
  if (kind === 'lines' || kind === 'json') return <TextField {...frame} onInput={heard} />;
  const types = { text: 'text', number: 'number', instant: 'datetime-local' } as const;
  return <Field {...frame} type={types[kind]} step={kind === 'number' ? 'any' : undefined} onInput={heard} />;
}

const DAY_MS = 86_400_000;

function firstOf(fields: readonly ChoiceField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind, options, optional }) => {
      if (kind === 'instant') return [name, localOf(new Date(Date.now() + DAY_MS))];
      if (optional) return [name, ''];
      return [name, kind === 'yesNo' ? 'yes' : (options?.[0] ?? '')];
    }),
  );
}

/** As the browser's field has it: without a zone, which is the reader's. */
function localOf(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function sentOf(fields: readonly ChoiceField[], values: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, optional }): [string, string | number | boolean][] => {
      const value = values[name] ?? '';
      if (value === '' && optional) return [];
      if (kind === 'number' && value !== '') return [[name, Number(value)]];
      if (kind === 'yesNo') return [[name, value === 'yes']];
      if (kind === 'instant' && value !== '') return [[name, new Date(value).toISOString()]];
      return [[name, value]];
    }),
  );
}
