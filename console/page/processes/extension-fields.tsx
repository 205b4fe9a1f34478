// Which deadline, and until when.
import { useState } from 'preact/hooks';
import type { BulkAction } from '../../processes/processes-view.ts';
import { Field, SelectField } from '../parts/field.tsx';

const roles = {
  issue: 'issue: to the receiver',
  intake: 'intake: back from the person',
  shipment: 'shipment: from person to person',
  stock: 'stock',
  circularStock: 'circular stock',
  collect: 'collect',
} as const;

const stages = {
  pickUp: 'to be picked up',
  dropOff: 'to be dropped off',
  receiver: 'to get a receiver',
} as const;

const lengths = {
  PT4H: '4 hours from now',
  P1D: '1 day from now',
  P2D: '2 days from now',
  P3D: '3 days from now',
  P7D: '1 week from now',
  P14D: '2 weeks from now',
  until: 'a date and time',
} as const;

export function ExtensionFields({ wrong }: { readonly wrong: Readonly<Record<string, string>> }) {
  const [length, setLength] = useState<string>('P1D');
  const [which, setWhich] = useState<string>('next');
  return (
    <div class="side-by-side">
      <SelectField
        label="Deadline"
        name="which"
        value={which}
        onChange={({ currentTarget }) => setWhich(currentTarget.value)}
        wrong={wrong.next}
      >
        <option value="next">the one that ends next, of each process</option>
        <option value="named">a certain one …</option>
      </SelectField>
      {which === 'named' && (
        <>
          <SelectField label="Shipment" name="role" wrong={wrong.role}>
            {Object.entries(roles).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </SelectField>
          <SelectField label="Waits" name="stage" wrong={wrong.stage}>
            {Object.entries(stages).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </SelectField>
        </>
      )}
      <SelectField
        label="New deadline"
        name="length"
        value={length}
        onChange={({ currentTarget }) => setLength(currentTarget.value)}
        wrong={wrong.fromNow}
      >
        {Object.entries(lengths).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      {length === 'until' && (
        <Field
          label="Date and time"
          hint="In your own time zone"
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
