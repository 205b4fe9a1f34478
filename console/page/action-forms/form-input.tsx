// One field of a choice, as its kind has it.
import type { ChoiceField } from '../../processes/processes-view.ts';
import { Boxes, Field, SelectField, TextField } from '../parts/field.tsx';
import type { Refusal } from '../shell/api.ts';
import { type FieldValues, wrongAt } from './choice-request.ts';

interface ChoiceInputProps {
  readonly field: ChoiceField;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly set: (value: string) => void;
}

interface ChoiceInputsProps {
  readonly fields: readonly ChoiceField[];
  readonly values: FieldValues;
  /** What the server has refused. */
  readonly refusal: Refusal | undefined;
  readonly set: (name: string, value: string) => void;
}

/** All fields of a choice, each with what is wrong with it. */
export const ChoiceInputs = ({ fields, values, refusal, set }: ChoiceInputsProps) => (
  <>
    {fields.map((field) => (
      <ChoiceInput
        key={field.name}
        field={field}
        value={values[field.name] ?? ''}
        wrong={wrongAt(field, refusal?.fields ?? {})}
        set={(value) => set(field.name, value)}
      />
    ))}
  </>
);

export function ChoiceInput({ field, value, wrong, set }: ChoiceInputProps) {
  const { name, kind, options = [], optionLabels = [], optional } = field;
  const label = field.label;
  const hint = field.hint && field.hint;
  const frame = {
    name,
    hint,
    wrong,
    value,
    set,
    label: optional ? `${label} (optional)` : label,
    required: !optional,
    minLength: field.minLength,
    maxLength: field.maxLength,
  };
  if (kind === 'select' || kind === 'yesNo')
    return (
      <SelectField {...frame}>
        <option value="">{optional ? '–' : 'Choose…'}</option>
        {(kind === 'yesNo' ? ['yes', 'no'] : options).map((option, index) => (
          <option key={option} value={option}>
            {optionLabels[index] ?? option}
          </option>
        ))}
      </SelectField>
    );
  if (field.many) {
    const wordsOf = (option: string) => optionLabels[options.indexOf(option)] ?? option;
    return <Boxes {...frame} options={options} wordsOf={wordsOf} />;
  }
  if (kind === 'lines' || kind === 'json') return <TextField {...frame} rows={3} />;
  if (kind === 'date') return <Field {...frame} type="date" min={field.min} max={field.max} />;
  if (kind === 'instant') return <Field {...frame} type="datetime-local" />;
  const inputMode = kind === 'number' ? 'decimal' : undefined;
  return <Field {...frame} inputMode={inputMode} autocomplete="off" />;
}
