// What a person says for many processes at once: why, and for deadlines by how much or until when.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BulkAction } from '../../processes/processes-view.ts';
import { formatDuration } from '../forms/durations.ts';
import { FormFields } from '../forms/form-fields.tsx';
import { inputOf, type Values } from '../forms/form-values.ts';
import { changeableOfMany } from '../forms/start-again-fields.ts';
import { Button } from '../parts/button.tsx';
import { Field, Options, onSubmit, SelectField, TextField } from '../parts/field.tsx';
import type { Verb } from './bulk-verbs.ts';

type Wrong = Readonly<Record<string, string>>;

interface BulkFormProps {
  readonly verb: Verb;
  readonly isBusy: boolean;
  readonly wrong: Wrong;
  readonly send: (action: BulkAction) => void;
}

export const BulkForm = ({ verb, isBusy, wrong, send }: BulkFormProps) => (
  <form noValidate={verb === 'startAgain'} onSubmit={onSubmit((form) => send(readAction(verb, form)))}>
    {verb === 'startAgain' && <StartAgainFields wrong={wrong} />}
    {verb === 'message' && <MessageFields wrong={wrong} />}
    {isOfEnd(verb) && <EndFields by={byOf[verb]} wrong={wrong} />}
    <TextField
      label={t`Why`}
      name="why"
      rows={2}
      required={verb !== 'message'}
      hint={t`Each case keeps it, with your name.`}
      wrong={wrong.why}
    />
    <Button kind="main" isBusy={isBusy}>{t`Show what would happen`}</Button>
  </form>
);

const byOf = { extend: 'extendBy', shorten: 'shortenBy' } as const;
const isOfEnd = (verb: Verb): verb is keyof typeof byOf => verb in byOf;

const lengths = [
  ...['P1D', 'PT4H', 'P2D', 'P3D', 'P1W', 'P2W'].map((each) => [each, formatDuration(each)] as const),
  ['', t`Until a date…`],
] as const;

interface EndFieldsProps {
  readonly by: (typeof byOf)[keyof typeof byOf];
  readonly wrong: Wrong;
}

function EndFields({ by, wrong }: EndFieldsProps) {
  const [length, setLength] = useState<string>('P1D');
  return (
    <>
      <SelectField label={t`By how much`} name={by} value={length} set={setLength} wrong={wrong[by]}>
        <Options of={lengths} />
      </SelectField>
      {length === '' && (
        <Field
          label={t`Until`}
          name="until"
          type="datetime-local"
          required
          hint={t`In your own time zone.`}
          wrong={wrong.until}
        />
      )}
    </>
  );
}

/** What is left empty stays as it was. */
function StartAgainFields({ wrong }: { readonly wrong: Wrong }) {
  const [values, setValues] = useState<Values>({});
  const change = (changes: Values) => setValues((now) => ({ ...now, ...changes }));
  return <FormFields fields={changeableOfMany} values={values} wrong={wrong} change={change} />;
}

/** Left empty, what is proposed for each is shown by the dry run. */
const MessageFields = ({ wrong }: { readonly wrong: Wrong }) => (
  <TextField
    label={t`Message`}
    name="text"
    rows={4}
    maxLength={LONGEST_FOR_MANY}
    hint={t`Left empty, each gets what is proposed: where their item is, and what is wrong or due there.`}
    wrong={wrong.text}
  />
);

/** What a batch takes of fields. */
const LONGEST_FOR_MANY = 450;

/** The server checks it again. */
function readAction(command: Verb, form: HTMLFormElement): BulkAction {
  const { why = '', until, ...by } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  const reason = { why: why.trim() };
  if (command === 'startAgain') {
    const values = { ...by, ...(until && { until }) };
    return { command, fields: { ...reason, change: inputOf(changeableOfMany, values).input } };
  }
  if (command === 'message') {
    const { text = '' } = by;
    return { command, fields: { ...(text.trim() && { text: text.trim() }), ...(reason.why && reason) } };
  }
  if (!isOfEnd(command)) return { command, fields: reason };
  const end = until ? { until: new Date(until).toISOString() } : by;
  return { command, fields: { next: true, ...end, ...reason } };
}
