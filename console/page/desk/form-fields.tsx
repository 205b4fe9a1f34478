// The fields of a form, as the schema has them; groups stand in each other.
import type { FormField } from '../../desk/desk-view.ts';
import { Field, SelectField, TextField } from '../parts/field.tsx';
import { shownValue, type Values } from './form-values.ts';

export interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly wrong: Readonly<Record<string, string>>;
  readonly change: (path: string, value: string) => void;
}

export function FormFields(props: FormFieldsProps) {
  return (
    <>
      {props.fields.map((field) =>
        field.kind === 'group' ? (
          <Group key={field.path} field={field} {...props} />
        ) : (
          <OneField key={field.path} field={field} {...props} />
        ),
      )}
    </>
  );
}

type OneProps = FormFieldsProps & { readonly field: FormField };

/** An optional one is closed, until something in it is wrong. */
function Group({ field: { path, label, isRequired, description, children = [] }, ...props }: OneProps) {
  const inner = <FormFields {...props} fields={children} />;
  const own = props.wrong[path] && <p class="wrong">{props.wrong[path]}</p>;
  if (isRequired)
    return (
      <fieldset>
        <legend>{label}</legend>
        {description && <p class="hint">{description}</p>}
        {own}
        {inner}
      </fieldset>
    );
  const isWrong = Object.keys(props.wrong).some((each) => each === path || each.startsWith(`${path}.`));
  return (
    <details open={isWrong}>
      <summary>{label} (optional)</summary>
      {description && <p class="hint">{description}</p>}
      {own}
      {inner}
    </details>
  );
}

function OneField({ field, values, wrong, change }: OneProps) {
  const { path, kind, isRequired, description, choices = [] } = field;
  const common = {
    label: isRequired ? field.label : `${field.label} (optional)`,
    hint: description ?? undefined,
    name: path,
    wrong: wrong[path],
    value: shownValue(field, values),
  };
  const input = ({ currentTarget }: { currentTarget: { value: string } }) =>
    change(path, currentTarget.value);
  if (kind === 'choice' || kind === 'flag') {
    const offered =
      kind === 'flag'
        ? [['true', 'yes'] as const, ['false', 'no'] as const]
        : choices.map((each) => [each, each] as const);
    return (
      <SelectField {...common} onChange={input}>
        {!(kind === 'flag' && isRequired) && <option value="">–</option>}
        {offered.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    );
  }
  if (kind === 'list')
    return (
      <TextField
        {...common}
        hint={[common.hint, 'one on each line'].filter(Boolean).join('; ')}
        rows={3}
        onInput={input}
      />
    );
  if (kind === 'json')
    return (
      <TextField
        {...common}
        hint={[common.hint, 'as JSON'].filter(Boolean).join('; ')}
        rows={4}
        onInput={input}
      />
    );
  return (
    <Field
      {...common}
      autocomplete="off"
      inputMode={kind === 'number' ? 'decimal' : undefined}
      onInput={input}
    />
  );
}
