// What the account that is made with the parcel needs, for a receiver who has none.
import type { PersonFound } from '../../desk/desk-view.ts';
import { Field } from '../parts/field.tsx';

export interface PersonDetailsProps {
  readonly person: PersonFound;
  readonly change: (person: PersonFound) => void;
  readonly wrong: (name: string) => string | undefined;
}

const fields = [
  ['emailAddress', 'E-mail address'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['phoneNumber', 'Mobile number (optional)'],
  ['languageCode', 'Language, like nl or en (optional)'],
] as const;

export function PersonDetails({ person, change, wrong }: PersonDetailsProps) {
  return (
    <fieldset class="person">
      <legend>An account is made with the parcel</legend>
      {fields.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          name={name}
          value={person[name] ?? ''}
          autocomplete="off"
          wrong={wrong(name)}
          onInput={({ currentTarget }) => change({ ...person, [name]: currentTarget.value })}
        />
      ))}
    </fieldset>
  );
}
