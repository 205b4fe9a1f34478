// A field with its label, what is expected, and what is wrong with it.
import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { inOwnWords } from '../shell/words.ts';

/** Beside these, what an <input> takes. */
type FieldProps = Omit<ComponentProps<'input'>, 'label' | 'id'> & {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with it. */
  readonly wrong?: string | undefined;
};

export function Field({ label, hint, wrong, ...input }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} wrong={wrong}>
      <input {...(input as object)} {...described(id, hint, wrong)} />
    </FieldFrame>
  );
}

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'label' | 'id'> {
  readonly label: string;
  readonly hint?: string;
  readonly wrong?: string | undefined;
  readonly children: ComponentChildren;
}

export function SelectField({ label, hint, wrong, children, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} wrong={wrong}>
      <select {...(select as object)} {...described(id, hint, wrong)}>
        {children}
      </select>
    </FieldFrame>
  );
}

/** A choice for each value, with its words. */
export const Options = ({ of }: { readonly of: Readonly<Record<string, string>> }) =>
  Object.entries(of).map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));

interface TextFieldProps extends Omit<ComponentProps<'textarea'>, 'label' | 'id'> {
  readonly label: string;
  readonly hint?: string;
  readonly wrong?: string | undefined;
}

/** A field of several lines. */
export function TextField({ label, hint, wrong, ...area }: TextFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} wrong={wrong}>
      <textarea {...(area as object)} {...described(id, hint, wrong)} />
    </FieldFrame>
  );
}

interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly wrong: string | undefined;
  readonly children: ComponentChildren;
}

function FieldFrame({ id, label, hint, wrong, children }: FrameProps) {
  useFocusWhereWrong(id, wrong);
  return (
    <div class={wrong ? 'field is-wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {inOwnWords(wrong)}
        </p>
      )}
    </div>
  );
}

/** The first wrong field of a form gets the focus: a person mends it at once, also without a mouse. */
export function useFocusWhereWrong(id: string, wrong: string | undefined): void {
  useEffect(() => {
    const field = wrong === undefined ? null : document.getElementById(id);
    if (field && field === field.closest('form')?.querySelector('[aria-invalid=true]')) field.focus();
  }, [id, wrong]);
}

function described(id: string, hint: string | undefined, wrong: string | undefined) {
  const by = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ');
  return {
    id,
    ...(by !== '' && { 'aria-describedby': by }),
    ...(wrong && { 'aria-invalid': true as const }),
  };
}
