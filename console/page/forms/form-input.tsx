// One field of a form, as its kind has it.

import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { ActionField } from '../../processes/processes-view.ts';
import type { RequestError } from '../api.ts';
import { Boxes, Field, SelectField, TextField } from '../parts/field.tsx';
import { type FieldValues, isShown, wrongAt } from './form-request.ts';
import { nameKey } from './form-values.ts';
import { yesNo } from './labels.ts';
import { PersonField } from './search-fields.tsx';

interface FormInputProps {
  readonly field: ActionField;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly set: (value: string) => void;
}

interface FormInputsProps {
  readonly fields: readonly ActionField[];
  readonly values: FieldValues;
  /** What the server has refused. */
  readonly refusal: RequestError | undefined;
  readonly set: (name: string, value: string) => void;
}

/** All fields of a form, each with what is wrong with it. */
export const FormInputs = ({ fields, values, refusal, set }: FormInputsProps) => (
  <>
    {fields
      .filter((field) => isShown(field, values))
      .map((field) => (
        <FormInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          wrong={wrongAt(field, refusal?.fields ?? {})}
          set={(value) => set(field.name, value)}
        />
      ))}
  </>
);

export function FormInput({ field, value, wrong, set }: FormInputProps) {
  const { name, label, hint, kind, options = [], optionLabels = [], optional } = field;
  const { none = optional ? '–' : t`Choose…` } = field;
  const frame = {
    name,
    hint,
    wrong,
    value,
    set,
    label: optional ? t`${label} (optional)` : label,
    required: !optional && field.none === undefined,
    minLength: field.minLength,
    maxLength: field.maxLength,
  };
  if (kind === 'select' || kind === 'yesNo')
    return (
      <SelectField {...frame}>
        <option value="">{none}</option>
        {(kind === 'yesNo' ? Object.keys(yesNo) : options).map((option, index) => (
          <option key={option} value={option}>
            {optionLabels[index] ?? (kind === 'yesNo' ? yesNo[option] : undefined) ?? option}
          </option>
        ))}
      </SelectField>
    );
  if (field.many) {
    const wordsOf = (option: string) => optionLabels[options.indexOf(option)] ?? option;
    return <Boxes {...frame} options={options} wordsOf={wordsOf} />;
  }
  if (kind === 'person') return <PersonInput {...frame} />;
  if (kind === 'lines' || kind === 'json') return <TextField {...frame} rows={3} />;
  if (kind === 'date') return <Field {...frame} type="date" min={field.min} max={field.max} />;
  if (kind === 'instant') return <Field {...frame} type="datetime-local" />;
  const inputMode = kind === 'number' ? 'decimal' : undefined;
  return <Field {...frame} inputMode={inputMode} autocomplete="off" />;
}

interface PersonInputProps extends Pick<FormInputProps, 'value' | 'wrong' | 'set'> {
  readonly name: string;
  readonly label: string;
}

/** Whoever has an account, found by a name; the value is the uid. */
function PersonInput({ name: path, label, value, wrong, set }: PersonInputProps) {
  const [person, setPerson] = useState('');
  return (
    <PersonField
      field={{ path, label, kind: 'person', isRequired: true, description: null }}
      label={label}
      values={{ [path]: value, [nameKey(path)]: person }}
      wrong={wrong === undefined ? {} : { [path]: wrong }}
      change={(values) => {
        setPerson(values[nameKey(path)] ?? '');
        set(values[path] ?? '');
      }}
      inner={() => null}
    />
  );
}
