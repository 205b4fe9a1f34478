// The answer to a question, by its own fields: few choices are buttons.
import { useState } from 'preact/hooks';
import type { ChoiceField, WorkEntry } from '../../processes/processes-view.ts';
import { ChoiceInput } from '../decisions/choice-input.tsx';
import { firstValues, send, wrongAt } from '../decisions/choice-request.ts';
import { Button } from '../parts/button.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useDoing } from '../shell/api.ts';
import { currentMessages } from '../shell/locale.ts';

interface AnswerProps {
  readonly entry: WorkEntry;
  readonly canAct: boolean;
  readonly answered: (id: string, words: string) => void;
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

export function Answer({ entry, canAct, answered }: AnswerProps) {
  const choice = answerOf(entry);
  const fields = choice?.fields ?? [];
  const words = currentMessages().work.answer;
  const [values, setValues] = useState(() => firstValues(fields, Date.now() + entry.clockAheadMs));
  const { isBusy, refusal, run } = useDoing(
    async (given: Readonly<Record<string, string>>) => {
      if (choice) await send(choice, given);
      const shown = fields.map(({ name, label }) => `${label}: ${given[name] || '–'}`).join(', ');
      return currentMessages().work.answered(`${entry.title}${shown && ` (${shown})`}`);
    },
    (said) => answered(entry.id, said),
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
            {words.title}
          </Button>
        </>
      )}
      {refusal && <RefusalNote refusal={refusal} />}
      {!canAct && <p class="soft">{words.mayNot}</p>}
    </form>
  );
}
