// What a person decides about an entry: the consequence first, then what must be said with it.
import { useState } from 'preact/hooks';
import type { InboxAction, InboxField } from '../../inbox/inbox-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, SelectField, TextField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { postJson, useDoing } from '../shell/api.ts';

export interface ActionDialogProps {
  readonly id: string;
  readonly about: string;
  readonly action: InboxAction;
  readonly close: () => void;
  readonly done: (words: string) => void;
}

type Values = Readonly<Record<string, string>>;

export function ActionDialog({ id, about, action, close, done }: ActionDialogProps) {
  const { name, label, consequence, fields, isGrave } = action;
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map((field) => [field.name, field.suggested ?? ''])),
  );
  const { isBusy, refusal, run } = useDoing(
    () => postJson<{ done: string }>('/api/inbox/act', { id, action: name, values: sentOf(fields, values) }),
    (answer) => {
      done(answer.done);
      close();
    },
  );
  const send = (event: Event) => {
    event.preventDefault();
    run(undefined);
  };
  return (
    <Dialog title={label} close={close} closeLabel="Do nothing">
      <p class="soft">{about}</p>
      <p>
        <strong>What happens then:</strong> {consequence}
      </p>
      <form onSubmit={send} noValidate>
        {fields.map((field) => (
          <AnswerField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            wrong={refusal?.fields[field.name]}
            change={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {refusal && <RefusalNote refusal={refusal} />}
        <Button kind={isGrave ? 'danger' : 'main'} isBusy={isBusy}>
          {label}
        </Button>
      </form>
    </Dialog>
  );
}

interface AnswerFieldProps {
  readonly field: InboxField;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly change: (value: string) => void;
}

function AnswerField({ field, value, wrong, change }: AnswerFieldProps) {
  const { name, type, choice, isOptional } = field;
  const label = isOptional ? `${field.label} (optional)` : field.label;
  const input = ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value);
  if (type === 'choice' || type === 'yesNo')
    return (
      <SelectField label={label} wrong={wrong} name={name} value={value} onChange={input}>
        <option value="">Choose…</option>
        {(choice ?? ['yes', 'no']).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
    );
  if (name === 'why')
    return <TextField label={label} wrong={wrong} name={name} value={value} onInput={input} rows={3} />;
  return (
    <Field
      label={label}
      wrong={wrong}
      name={name}
      value={value}
      onInput={input}
      inputMode={type === 'number' ? 'decimal' : undefined}
      autocomplete="off"
    />
  );
}

/** In the types that the process takes. */
function sentOf(fields: readonly InboxField[], values: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const value = values[name] ?? '';
      return [name, type === 'yesNo' && value !== '' ? value === 'yes' : value];
    }),
  );
}
