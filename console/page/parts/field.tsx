// A field with its label, what is expected, and what is wrong with it.
import type { ComponentProps } from 'preact';
import { useEffect, useId } from 'preact/hooks';

interface Frame {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly wrong?: string | undefined;
  /** The id of a datalist with what is usual. */
  readonly list?: string;
  /** Told of what is typed or chosen. */
  readonly set?: (value: string) => void;
}

type Tag = 'input' | 'select' | 'textarea';

/** It takes what the element takes, too. */
const fieldOf = <Own extends Tag>(tag: Own) =>
  function FieldOf({
    label,
    hint,
    wrong,
    set,
    list,
    ...own
  }: Frame & Omit<ComponentProps<Own>, keyof Frame | 'id'>) {
    const id = useId();
    useFocusWhereWrong(id, wrong);
    const by = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ');
    const Control = tag as 'input';
    return (
      <div class={wrong ? 'field is-wrong' : 'field'}>
        <label for={id}>{label}</label>
        <Control
          {...(own as object)}
          id={id}
          list={list}
          aria-describedby={by || undefined}
          aria-invalid={wrong ? true : undefined}
          onInput={({ currentTarget }) => set?.(currentTarget.value)}
        />
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {wrong && (
          <p class="wrong" id={`${id}-wrong`}>
            {wrong}
          </p>
        )}
      </div>
    );
  };

export const Field = fieldOf('input');
export const SelectField = fieldOf('select');
/** A text of several lines. */
export const TextField = fieldOf('textarea');

/** A choice for each value, with its words. */
export const Options = ({ of }: { readonly of: readonly (readonly [string, string])[] }) =>
  of.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));

interface BoxesProps extends Required<Pick<Frame, 'label' | 'set'>> {
  readonly options: readonly string[];
  readonly wordsOf: (option: string) => string;
  /** Those that are chosen, one on each line. */
  readonly value: string;
  readonly wrong: string | undefined;
}

/** Several of the options: a box for each. */
export function Boxes({ label, options, wordsOf, value, wrong, set }: BoxesProps) {
  const chosen = value.split('\n');
  const toggle = (option: string) =>
    set(options.filter((each) => chosen.includes(each) !== (each === option)).join('\n'));
  return (
    <fieldset class={wrong ? 'field is-wrong' : 'field'}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option} class="of-many">
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />{' '}
          {wordsOf(option)}
        </label>
      ))}
      {wrong && <p class="wrong">{wrong}</p>}
    </fieldset>
  );
}

/** The first wrong field of a form gets the focus: a person mends it at once, also without a mouse. */
function useFocusWhereWrong(id: string, wrong: string | undefined): void {
  useEffect(() => {
    const field = wrong === undefined ? null : document.getElementById(id);
    if (field && field === field.closest('form')?.querySelector('[aria-invalid=true]')) field.focus();
  }, [id, wrong]);
}

/** For a form: what it does in the place of the browser's own sending. */
export const onSubmit = (act: (form: HTMLFormElement) => void) => (event: Event) => {
  event.preventDefault();
  act(event.currentTarget as HTMLFormElement);
};
