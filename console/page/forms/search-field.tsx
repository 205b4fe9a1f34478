// A field that finds while one types: what is found stands below it, a button for each.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import { useJson } from '../api.ts';
import { Field } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';

interface SearchResults<Item> {
  readonly items: readonly Item[];
  /** False: there are more; a longer text finds them. */
  readonly isComplete: boolean;
}

interface SearchFieldProps<Item> {
  readonly label: string;
  readonly hint: string;
  readonly wrong?: string | undefined;
  /** Where the server looks for the text. */
  readonly pathOf: (text: string) => string;
  /** Also without a text. */
  readonly asksAtOnce?: boolean;
  readonly mayTake?: (item: Item) => boolean;
  readonly row: (item: Item) => ComponentChildren;
  readonly take: (item: Item) => void;
  /** Said where nothing is found. */
  readonly none: string;
  /** What else the text may mean; behind what is found. */
  readonly other?: (text: string) => ComponentChildren;
}

// Shorter than a person takes from letter to letter, long enough that a fast one asks once for a word.
const PAUSE_MS = 150;

export function SearchField<Item>(props: SearchFieldProps<Item>) {
  const { label, hint, wrong, pathOf, asksAtOnce = false, row, take, none, other } = props;
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isWanted = text !== '' || asksAtOnce;
  const { data, refusal } = useJson<SearchResults<Item>>(isWanted ? pathOf(text) : undefined);
  const items = data?.items.filter(props.mayTake ?? (() => true)) ?? [];
  // A scanner ends with Enter what it reads: that sends no form, and takes what is found alone as soon as it is known.
  const [entered, setEntered] = useState<string>();
  useEffect(() => {
    const [only, ...others] = items;
    if (!data || entered !== text || typed.trim() !== text) return;
    setEntered(undefined);
    if (only !== undefined && others.length === 0) take(only);
  }, [data, entered]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    setEntered(typed.trim());
  };
  return (
    <>
      <Field
        type="search"
        label={label}
        hint={hint}
        wrong={wrong}
        value={typed}
        set={setTyped}
        autocomplete="off"
        spellcheck={false}
        onKeyDown={press}
      />
      {refusal && <RefusalNote refusal={refusal} />}
      <ul class="found-items plain">
        {items.map((each, index) => (
          <li key={index}>
            <button type="button" class="button" onClick={() => take(each)}>
              {row(each)}
            </button>
          </li>
        ))}
        {data && text !== '' && other && <li>{other(text)}</li>}
      </ul>
      <p class="hint" role="status">
        {data && (items.length === 0 ? none : !data.isComplete && t`There may be more: type more of it.`)}
      </p>
    </>
  );
}
