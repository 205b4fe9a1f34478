// The answer to a question, by its own fields: few choices are buttons.
import { useState } from 'preact/hooks';
import type { ChoiceField, WorkEntry } from '../../processes/processes-view.ts';
import { ChoiceInput } from '../decisions/choice-input.tsx';
import { firstValues, send, wrongAt } from '../decisions/choice-request.ts';
import { Button } from '../parts/button.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { refusalOf, useDoing } from '../shell/api.ts';
import { common, currentMessages } from '../shell/locale.ts';

export interface AnswerProps {
  readonly entry: WorkEntry;
  /** Others that take the same answer. */
  readonly equal: readonly WorkEntry[];
  readonly canAct: boolean;
  readonly answered: (ids: readonly string[], words: string) => void;
}

export const answerOf = ({ actions }: WorkEntry) => actions.find(({ id }) => id.startsWith('answer:'));

const MAX_BUTTONS = 6;
const valuesOf = ({ kind, options = [] }: ChoiceField): readonly string[] =>
  (({ yesNo: ['yes', 'no'], select: options }) as Partial<Record<string, readonly string[]>>)[kind] ?? [];

/** The one field whose choices are buttons that answer at once. */
function onlyChoice(fields: readonly ChoiceField[]): ChoiceField | undefined {
  const [only, ...others] = fields;
  if (!only || others.length > 0 || only.optional) return undefined;
  const { length } = valuesOf(only);
  return length > 0 && length <= MAX_BUTTONS ? only : undefined;
}

export function Answer({ entry, equal, canAct, answered }: AnswerProps) {
  const choice = answerOf(entry);
  const fields = choice?.fields ?? [];
  const words = currentMessages().work.answer;
  const [values, setValues] = useState(() => firstValues(fields, Date.now() + entry.clockAheadMs));
  const [also, setAlso] = useState<ReadonlySet<string>>(new Set());
  const equalChosen = equal.filter(({ id }) => also.has(id));
  const all = [entry, ...equalChosen];
  const { isBusy, refusal, run } = useDoing(
    async (given: Readonly<Record<string, string>>) => {
      if (choice) await send(choice, given);
      const sent = await Promise.all(equalChosen.map((each) => sentTo(each, given)));
      const shown = fields.map(({ name, label }) => `${label}: ${given[name] || '–'}`).join(', ');
      const refused = sent.flatMap((each) => each ?? []);
      const what = all.length > 1 ? words.count(all.length - refused.length) : entry.title;
      return [currentMessages().work.answered(`${what}${shown && ` (${shown})`}`), ...refused].join(' ');
    },
    (said) =>
      answered(
        all.map(({ id }) => id),
        said,
      ),
  );
  if (!choice) return null;
  const only = onlyChoice(fields);
  return (
    <form
      class="answer"
      aria-label={words.title}
      // The server says what is missing, at its field.
      noValidate
      onSubmit={onSubmit(() => !only && run(values))}
    >
      {equal.length > 0 && <Equal equal={equal} also={also} setAlso={setAlso} />}
      {only ? (
        <fieldset class="row">
          <legend>{only.label}</legend>
          {valuesOf(only).map((value, index) => (
            <Button
              key={value}
              kind="main"
              press={() => run({ [only.name]: value })}
              isBusy={isBusy}
              disabled={!canAct}
            >
              {only.optionLabels?.[index] ?? (only.kind === 'yesNo' ? words[value as 'yes' | 'no'] : value)}
            </Button>
          ))}
        </fieldset>
      ) : (
        <>
          {fields.map((field) => (
            <ChoiceInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              wrong={wrongAt(field, refusal?.fields ?? {})}
              set={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
          <Button kind="main" isBusy={isBusy} disabled={!canAct}>
            {all.length > 1 ? words.all(String(all.length)) : words.title}
          </Button>
        </>
      )}
      {refusal && <RefusalNote refusal={refusal} />}
      {!canAct && <p class="soft">{words.mayNot}</p>}
    </form>
  );
}

/** Null: it is sent; else why not, with the entry that it is of. */
async function sentTo(entry: WorkEntry, given: Readonly<Record<string, string>>): Promise<string | null> {
  const choice = answerOf(entry);
  if (!choice) return null;
  try {
    await send(choice, given);
    return null;
  } catch (error) {
    return currentMessages().work.notAnswered(entry.title, refusalOf(error).message);
  }
}

interface EqualProps {
  readonly equal: readonly WorkEntry[];
  readonly also: ReadonlySet<string>;
  readonly setAlso: (ids: ReadonlySet<string>) => void;
}

function Equal({ equal, also, setAlso }: EqualProps) {
  const isAll = equal.every(({ id }) => also.has(id));
  const words = currentMessages().work.answer;
  const toggle = (id: string) => {
    const next = new Set(also);
    if (!next.delete(id)) next.add(id);
    setAlso(next);
  };
  return (
    <details class="equal">
      <summary>
        {words.more(equal.length)}
        {also.size > 0 && `, ${common().chosen(String(also.size))}`}
      </summary>
      <Button press={() => setAlso(new Set(isAll ? [] : equal.map(({ id }) => id)))}>
        {isAll ? common().chooseNone : words.every}
      </Button>
      {equal.map(({ id, title, key }) => (
        <label key={id}>
          <input type="checkbox" checked={also.has(id)} onChange={() => toggle(id)} /> {title}{' '}
          <span class="soft">{key}</span>
        </label>
      ))}
    </details>
  );
}
