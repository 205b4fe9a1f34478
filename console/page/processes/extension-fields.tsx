// Which deadline, and until when.
import { useState } from 'preact/hooks';
import type { BulkAction } from '../../processes/processes-view.ts';
import { Field, Options, SelectField } from '../parts/field.tsx';
import { common, currentMessages } from '../shell/locale.ts';

export function ExtensionFields({ wrong }: { readonly wrong: Readonly<Record<string, string>> }) {
  const [length, setLength] = useState<string>('P1D');
  const [which, setWhich] = useState<string>('next');
  const words = currentMessages().list.extension;
  return (
    <div class="row">
      <SelectField label={common().deadline} name="which" value={which} set={setWhich} wrong={wrong.next}>
        <option value="next">{words.next}</option>
        <option value="named">{words.named}</option>
      </SelectField>
      {which === 'named' && (
        <>
          <SelectField label={words.shipment} name="role" wrong={wrong.role}>
            <Options of={words.roles} />
          </SelectField>
          <SelectField label={words.waits} name="stage" wrong={wrong.stage}>
            <Options of={words.stages} />
          </SelectField>
        </>
      )}
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
  const { which, role, stage, length = '', until = '', why = '' } = given;
  const named = which === 'named' ? { role, stage } : { next: true };
  const end = length === 'until' ? { until: new Date(until).toISOString() } : { fromNow: length };
  // The server checks the names again.
  const because = why.trim() === '' ? {} : { why: why.trim() };
  return { command: 'extend', fields: { ...named, ...end, ...because } } as BulkAction;
}
