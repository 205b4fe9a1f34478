// A field that finds while one types. By keyboard: the arrows choose, Enter takes and goes on, Escape closes.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useFocusWhereWrong } from '../parts/field.tsx';
import { refusalOf } from '../shell/api.ts';
import { emptyStop, nextStop } from './go-on.ts';

export interface SearchResult<Item> {
  readonly items: readonly Item[];
  readonly isComplete: boolean;
}

interface ComboboxProps<Item> {
  readonly label: string;
  readonly hint: string;
  readonly wrong: string | undefined;
  readonly listLabel: string;
  readonly more: string;
  /** Said where nothing is found, and there is nothing else to take. */
  readonly none: string;
  readonly ask: (text: string) => Promise<SearchResult<Item>>;
  /** Also without a text, once it has the focus. */
  readonly asksAtOnce?: boolean;
  readonly row: (item: Item) => ComponentChildren;
  readonly take: (item: Item) => void;
  /** What a text means that finds nothing; behind what is found. */
  readonly other?: { readonly itemOf: (text: string) => Item | undefined; readonly words: string };
}

// Shorter than a person takes from letter to letter, long enough that a fast one asks once for a word.
const PAUSE_MS = 120;

export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { label, hint, wrong, listLabel, more, none, row, other } = props;
  const id = useId();
  const box = useCombobox(props);
  const { text, items, unknown, at, isOpen } = box;
  useFocusWhereWrong(id, wrong);
  return (
    <div class={wrong ? 'field is-wrong' : 'field'}>
      <label for={id}>{label}</label>
      <input
        {...box.input}
        id={id}
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        aria-describedby={wrong ? `${id}-hint ${id}-wrong` : `${id}-hint`}
        aria-invalid={wrong !== undefined}
        value={text}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {[box.problem, wrong].filter(Boolean).map((each) => (
        <p key={each} class="wrong" id={each === wrong ? `${id}-wrong` : undefined}>
          {each}
        </p>
      ))}
      <div class="found-items" role="listbox" id={`${id}-list`} aria-label={listLabel} hidden={!isOpen}>
        {isOpen &&
          items.map((each, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys (aria-activedescendant)
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // Before the field loses the focus, and the list with it.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => box.choose(each)}
            >
              {each === unknown ? `${other?.words} ${text}` : row(each)}
            </div>
          ))}
      </div>
      <p class="hint" role="status">
        {box.isComplete !== undefined && (items.length === 0 ? none : !box.isComplete && more)}
      </p>
    </div>
  );
}

/** What is typed and found, what the keys do, and what becomes of what is chosen. */
function useCombobox<Item>({ ask, asksAtOnce = false, take, other }: ComboboxProps<Item>) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [hasFocus, setFocus] = useState(false);
  const [at, setAt] = useState(0);
  const isWanted = text.trim() !== '' || (asksAtOnce && hasFocus);
  const { found, problem } = useFound(isWanted ? text.trim() : undefined, ask);
  const unknown = text.trim() === '' ? undefined : other?.itemOf(text.trim());
  const items = [...(found?.items ?? []), ...(unknown === undefined ? [] : [unknown])];
  const isOpen = isWanted && found !== undefined && items.length > 0;
  const choose = (item: Item) => {
    const frame = input.current?.closest('.asked');
    const next = input.current ? nextStop(input.current) : undefined;
    take(item);
    setText('');
    setAt(0);
    // The fields of a new person have come into the place of this one; else it goes on.
    setTimeout(() => ((frame ? emptyStop(frame) : undefined) ?? next)?.focus());
  };
  // A scanner is faster than the answer: what it found alone is taken as soon as it is known.
  const entered = useRef<string | undefined>(undefined);
  useEffect(() => {
    const [only, ...others] = found?.items ?? [];
    if (found === undefined || entered.current !== text) return;
    entered.current = undefined;
    if (only !== undefined && others.length === 0) choose(only);
  }, [found]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = items[at];
    if (step !== undefined) setAt((before) => Math.min(items.length - 1, Math.max(0, before + step)));
    else if (event.key === 'Enter' && isOpen && chosen !== undefined) choose(chosen);
    else if (event.key === 'Escape' && isOpen) setText('');
    // What is not found yet is not gone past.
    else if (event.key === 'Enter' && text.trim() !== '') entered.current = text;
    else return;
    event.preventDefault();
  };
  return {
    text,
    items,
    unknown,
    at,
    isOpen,
    problem,
    choose,
    isComplete: found?.isComplete,
    input: {
      ref: input,
      onFocus: () => setFocus(true),
      onBlur: () => setFocus(false),
      onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
        setText(currentTarget.value);
        setAt(0);
      },
      onKeyDown: press,
    },
  };
}

interface Answer<Item> {
  readonly found?: SearchResult<Item>;
  readonly problem?: string;
}

/** @param text undefined: nothing is looked for */
function useFound<Item>(text: string | undefined, ask: ComboboxProps<Item>['ask']): Answer<Item> {
  const [answer, setAnswer] = useState<Answer<Item> & { readonly of?: string }>({});
  useEffect(() => {
    if (text === undefined) {
      setAnswer({});
      return undefined;
    }
    let isWanted = true;
    const timer = setTimeout(() => {
      ask(text).then(
        (found) => isWanted && setAnswer({ found, of: text }),
        (error) => isWanted && setAnswer({ problem: refusalOf(error).message, of: text }),
      );
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  // What was found for another text is not taken for this one.
  return answer.of === text ? answer : {};
}
