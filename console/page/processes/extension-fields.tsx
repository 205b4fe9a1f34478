// Until when the deadline that ends next is extended.
import { useState } from 'preact/hooks';
import type { BulkAction } from '../../processes/processes-view.ts';
import { Field, Options, SelectField } from '../parts/field.tsx';
import { currentMessages } from '../shell/locale.ts';

export function ExtensionFields({ wrong }: { readonly wrong: Readonly<Record<string, string>> }) {
  const [length, setLength] = useState<string>('P1D');
  const words = currentMessages().list.extension;
  return (
    <div class="row">
      <SelectField label={words.length} name="length" value={length} set={setLength} wrong={wrong.fromNow}>
        <Options of={words.lengths} />
      </SelectField>
      {length === 'until' && (
        <Field
          label={words.until}
          hint={words.zone}
          name="until"
          type="datetime-local"
          required
          wrong={wrong.until}
        />
      )}
    </div>
  );
}

export function readExtension(form: HTMLFormElement): BulkAction {
  const given = Object.fromEntries(new FormData(form)) as Record<string, string>;
  const { length = '', until = '', why = '' } = given;
  const end = length === 'until' ? { until: new Date(until).toISOString() } : { fromNow: length };
  // The server checks it again.
  const because = why.trim() === '' ? {} : { why: why.trim() };
  return { command: 'extend', fields: { next: true, ...end, ...because } } as BulkAction;
}
