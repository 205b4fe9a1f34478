// One field of a choice, as its kind has it.
import type { ChoiceField } from '../../decisions/choice-view.ts';
import { Field, SelectField, TextField } from '../parts/field.tsx';
import { inOwnWords, wordsNow } from '../shell/words.ts';

interface ChoiceInputProps {
  readonly field: ChoiceField;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly set: (value: string) => void;
}

export function ChoiceInput({ field, value, wrong, set }: ChoiceInputProps) {
  const words = wordsNow().work.answer;
  const { name, kind, options = [], optionLabels = [], optional } = field;
  const label = inOwnWords(field.label);
  const hint = field.hint === undefined ? undefined : inOwnWords(field.hint);
  const frame = {
    ...{ name, hint, wrong, value },
    label: optional ? words.optional(label) : label,
    required: !optional,
    minLength: field.minLength,
    maxLength: field.maxLength,
  };
  const heard = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    set(currentTarget.value);
  if (kind === 'select' || kind === 'yesNo')
    return (
      <SelectField {...frame} onChange={heard}>
        <option value="">{optional ? '–' : words.choose}</option>
        {(kind === 'yesNo' ? ['yes', 'no'] : options).map((option, index) => (
          <option key={option} value={option}>
            {optionLabels[index] ?? (kind === 'yesNo' ? words[option as 'yes' | 'no'] : option)}
          </option>
        ))}
      </SelectField>
    );
  if (field.many) return <Many field={field} value={value} wrong={wrong} set={set} />;
  if (kind === 'lines' || kind === 'json') return <TextField {...frame} onInput={heard} rows={3} />;
  if (kind === 'date')
    return <Field {...frame} type="date" min={field.min} max={field.max} onInput={heard} />;
  if (kind === 'instant') return <Field {...frame} type="datetime-local" onInput={heard} />;
  const inputMode = kind === 'number' ? 'decimal' : undefined;
  return <Field {...frame} inputMode={inputMode} onInput={heard} autocomplete="off" />;
}

/** Several of the options: a box for each. */
function Many({ field: { label, options = [], optional }, value, wrong, set }: ChoiceInputProps) {
  const chosen = value.split('\n').filter(Boolean);
  const toggle = (option: string) =>
    set(options.filter((each) => chosen.includes(each) !== (each === option)).join('\n'));
  return (
    <fieldset class={wrong ? 'field is-wrong' : 'field'}>
      <legend>{optional ? wordsNow().work.answer.optional(label) : label}</legend>
      {options.map((option) => (
        <label key={option} class="of-many">
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} /> {option}
        </label>
      ))}
      {wrong && <p class="wrong">{wrong}</p>}
    </fieldset>
  );
}
