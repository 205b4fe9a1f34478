// One field of a choice, as its kind has it.
import type { ChoiceField } from '../../decisions/choice-view.ts';
import { Field, SelectField, TextField } from '../parts/field.tsx';

export interface ChoiceInputProps {
  readonly field: ChoiceField;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly set: (value: string) => void;
}

export function ChoiceInput({ field, value, wrong, set }: ChoiceInputProps) {
  const { name, label, kind, options = [], optionLabels = [], hint, optional } = field;
  const frame = {
    ...{ name, hint, wrong, value },
    label: optional ? `${label} (optional)` : label,
    required: !optional,
  };
  const heard = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    set(currentTarget.value);
  if (kind === 'select' || kind === 'yesNo')
    return (
      <SelectField {...frame} onChange={heard}>
        <option value="">{optional ? '–' : 'Choose…'}</option>
        {(kind === 'yesNo' ? ['yes', 'no'] : options).map((option, index) => (
          <option key={option} value={option}>
            {optionLabels[index] ?? option}
          </option>
        ))}
      </SelectField>
    );
  if (kind === 'lines' || kind === 'json') return <TextField {...frame} onInput={heard} rows={3} />;
  if (kind === 'date') return <Field {...frame} type="date" onInput={heard} />;
  if (kind === 'instant') return <Field {...frame} type="datetime-local" onInput={heard} />;
  const inputMode = kind === 'number' ? 'decimal' : undefined;
  return <Field {...frame} inputMode={inputMode} onInput={heard} autocomplete="off" />;
}
