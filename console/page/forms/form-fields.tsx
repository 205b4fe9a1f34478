// The fields of a form, each asked for by what it means; groups stand in each other. The start of any flow is made of
// these.
import type { ComponentChild } from 'preact';
import type { FormField } from '../../desk/desk-view.ts';
import type { ActionField } from '../../processes/processes-view.ts';
import { Field } from '../parts/field.tsx';
import { formatDuration } from './durations.ts';
import { FormInput } from './form-input.tsx';
import {
  type ChangeValues,
  type FieldInForm,
  isWrongIn,
  shownValue,
  type Values,
  type WrongValues,
} from './form-values.ts';
import { LockerField, PickUpPointField, SizeField } from './place-fields.tsx';
import { ItemField, PersonField } from './search-fields.tsx';
import './forms.css';
import { t } from '../../../shared/texts/text.ts';
import { choiceLabels, knownLabel, labelOf } from './labels.ts';

interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly wrong: WrongValues;
  readonly change: ChangeValues;
}

export function FormFields({ fields, ...props }: FormFieldsProps) {
  return (
    <>
      {fields.map((field) => {
        const name = labelOf(field);
        const bySuite = {
          ...props,
          inner: (children: readonly FormField[]) => <FormFields {...props} fields={children} />,
          field: labelled(field),
          label: field.isRequired || field.kind === 'flag' ? name : t`${name} (optional)`,
        };
        const Shown = byKind[field.kind] ?? PlainField;
        return <Shown key={field.path} {...bySuite} />;
      })}
    </>
  );
}

const byKind: Partial<Record<FormField['kind'], (props: FieldInForm) => ComponentChild>> = {
  group: Group,
  flag: Flag,
  duration: DurationField,
  pickUpPoint: PickUpPointField,
  locker: LockerField,
  size: SizeField,
  person: PersonField,
  stockItem: ItemField,
  intakeItem: ItemField,
};

/** What the catalogue calls by a name needs no description, which is for programmers. */
const labelled = (field: FormField): FormField =>
  knownLabel(field) === undefined ? field : { ...field, description: null };

/** An optional one is closed, until something in it is wrong. The request of a flow needs no frame: it is the form. */
function Group({
  field: { path, isRequired, description, children = [] },
  label,
  wrong,
  inner: innerOf,
}: FieldInForm) {
  const inner = innerOf(children);
  const own = wrong[path] && <p class="wrong">{wrong[path]}</p>;
  if (isRequired && path === 'request')
    return (
      <>
        {own}
        {inner}
      </>
    );
  if (isRequired)
    return (
      <fieldset>
        <legend>{label}</legend>
        {description && <p class="hint">{description}</p>}
        {own}
        {inner}
      </fieldset>
    );
  return (
    <details open={isWrongIn(path, wrong)}>
      <summary>{label}</summary>
      {description && <p class="hint">{description}</p>}
      {own}
      {inner}
    </details>
  );
}

/** By kinds of the fields of actions; what is none of these is a text. */
const inputs: Partial<Record<FormField['kind'], ActionField['kind']>> = {
  number: 'number',
  choice: 'select',
  list: 'lines',
  json: 'json',
  instant: 'instant',
  day: 'date',
};

const usualDurations = ['PT1H', 'PT4H', 'P1D', 'P2D', 'P3D', 'P1W', 'P2W'].map(formatDuration);

function DurationField({ field, label, values, wrong, change }: FieldInForm) {
  const { path, description } = field;
  return (
    <>
      <Field
        label={label}
        name={path}
        wrong={wrong[path]}
        value={shownValue(field, values)}
        hint={description ?? t`Like 3 days or 36 hours.`}
        set={(text) => change({ [path]: text })}
        list={`${path}-usual`}
        autocomplete="off"
      />
      <datalist id={`${path}-usual`}>
        {usualDurations.map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
    </>
  );
}

function PlainField({ field, values, wrong, change }: FieldInForm) {
  const { path, kind, description, choices, isRequired } = field;
  return (
    <FormInput
      field={{
        name: path,
        label: labelOf(field),
        kind: inputs[kind] ?? 'text',
        hint: description ?? '',
        ...(!isRequired && { optional: true }),
        ...(choices && { options: choices, optionLabels: choices.map(named) }),
        ...(kind === 'list' && choices && { many: true }),
      }}
      value={shownValue(field, values)}
      wrong={wrong[path]}
      set={(text) => change({ [path]: text })}
    />
  );
}

function Flag({ field, label, values, wrong, change }: FieldInForm) {
  const { path, isRequired, description } = field;
  // Unticked, an optional one is as if it were not given.
  const unticked = isRequired ? 'false' : '';
  return (
    <div class="field">
      <label class="of-many">
        <input
          type="checkbox"
          name={path}
          checked={shownValue(field, values) === 'true'}
          onChange={({ currentTarget }) => change({ [path]: currentTarget.checked ? 'true' : unticked })}
        />{' '}
        {label}
      </label>
      {description && <p class="hint">{description}</p>}
      {wrong[path] && <p class="wrong">{wrong[path]}</p>}
    </div>
  );
}

const named = (choice: string): string => choiceLabels[choice] ?? choice;
