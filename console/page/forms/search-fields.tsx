// Who and what: a person by any part of the name, and an item in stock by its description, reference or locker.
import type { ComponentChildren } from 'preact';
import type { ItemFound, ItemsFound, PeopleFound, PersonFound } from '../../desk/desk-view.ts';
import { Button } from '../parts/button.tsx';
import { getJson } from '../shell/api.ts';
import { common, currentMessages, midSentence } from '../shell/locale.ts';
import { Combobox } from './combobox.tsx';
import { type FieldInForm, isNewPerson, nameKey, newKey, type Values } from './form-values.ts';

/** An account, or somebody who gets one with the process. */
export function PersonField({ field, label, values, wrong, change, inner }: FieldInForm) {
  const { forms: words } = currentMessages().desk;
  const { path, accountPath, children = [] } = field;
  const name = values[nameKey(path)];
  const isNew = isNewPerson(path, values);
  const forget = () => change({ [path]: '', [nameKey(path)]: '', [newKey(path)]: '' });
  const take = (person: PersonFound) =>
    change({
      [path]: person.userUid ?? '',
      [nameKey(path)]: nameOf(person),
      [newKey(path)]: String(person.userUid === null),
      ...(person.userUid === null && accountOf(person, accountPath ?? '')),
    });
  return (
    <div class="asked">
      {name ? (
        <Chosen label={label} forget={forget}>
          {isNew && values[`${accountPath}.firstName`]
            ? `${values[`${accountPath}.firstName`]} ${values[`${accountPath}.lastName`] ?? ''}`
            : name}{' '}
          <span class="pill">{isNew ? words.noAccount : words.account}</span>
        </Chosen>
      ) : (
        <Combobox
          label={label}
          take={take}
          row={Person}
          wrong={wrong[path]}
          hint={words.personHint}
          listLabel={words.people}
          more={common().mayBeMore}
          none={words.nobody}
          ask={async (text) => {
            const { people, isComplete } = await getJson<PeopleFound>(
              `/api/desk/people?${new URLSearchParams({ text })}`,
            );
            // Without an account nobody can be taken where none can be made.
            return { items: people.filter(({ userUid }) => userUid !== null || accountPath), isComplete };
          }}
          {...(accountPath !== undefined && { other: { itemOf: newPerson, words: words.somebodyNew } })}
        />
      )}
      {name && isNew && (
        <fieldset class="person">
          <legend>{words.accountIsMade}</legend>
          {inner(children.filter(isAskedFirst))}
          <details open={children.some((each) => !isAskedFirst(each) && isWrongIn(each.path, wrong))}>
            <summary>{words.moreDetails}</summary>
            {inner(children.filter((each) => !isAskedFirst(each)))}
          </details>
        </fieldset>
      )}
    </div>
  );
}

const isWrongIn = (path: string, wrong: Values): boolean =>
  Object.keys(wrong).some((each) => each === path || each.startsWith(`${path}.`));

const first = ['emailAddress', 'firstName', 'lastName', 'phoneNumber', 'languageCode'] as const;

const isAskedFirst = ({ path, isRequired }: { readonly path: string; readonly isRequired: boolean }) =>
  isRequired || first.some((name) => path.endsWith(`.${name}`));

const nameOf = ({ firstName, lastName, emailAddress, userUid }: PersonFound): string =>
  [firstName, lastName].filter(Boolean).join(' ') || emailAddress || (userUid ?? '?');

const accountOf = (person: PersonFound, path: string): Values =>
  Object.fromEntries(first.map((name) => [`${path}.${name}`, person[name] ?? '']));

/** What has digits and is no e-mail address is rather the number of a parcel, scanned into the wrong field. */
function newPerson(text: string): PersonFound | undefined {
  const isAddress = text.includes('@');
  if (!isAddress && /\d/.test(text)) return undefined;
  const [firstName = null, ...others] = isAddress ? [] : text.split(/\s+/);
  return {
    kind: 'Suggestion',
    userUid: null,
    phoneNumber: null,
    languageCode: null,
    pupUid: null,
    emailAddress: isAddress ? text : null,
    firstName,
    lastName: others.join(' ') || null,
    remarks: null,
  };
}

function Person(person: PersonFound) {
  const { emailAddress, remarks, userUid } = person;
  const { forms: words } = currentMessages().desk;
  const name = nameOf(person);
  return (
    <>
      <strong>{name}</strong> {name !== emailAddress && emailAddress}{' '}
      <span class="pill">{userUid === null ? words.noAccount : words.account}</span>
      {remarks && <span class="soft"> {remarks}</span>}
    </>
  );
}

export function ItemField({ field: { path, kind, description }, label, values, wrong, change }: FieldInForm) {
  const { forms: words } = currentMessages().desk;
  const name = values[nameKey(path)];
  const isStock = kind === 'stockItem';
  return (
    <div class="asked">
      {name ? (
        <Chosen label={label} forget={() => change({ [path]: '', [nameKey(path)]: '' })}>
          {name}
        </Chosen>
      ) : (
        <Combobox
          label={label}
          wrong={wrong[path]}
          row={Item}
          asksAtOnce
          hint={description ?? words.itemHint}
          listLabel={isStock ? words.stock : words.comingBack}
          more={common().mayBeMore}
          none={isStock ? words.noStock : words.nothingComesBack}
          ask={(text) =>
            getJson<ItemsFound>(
              `/api/desk/items?${new URLSearchParams({ kind: isStock ? 'stock' : 'intake', text })}`,
            )
          }
          take={(item: ItemFound) =>
            change({
              [path]: item.shipmentUid,
              [nameKey(path)]: [titleOf(item), placeOf(item)].filter(Boolean).join(', '),
            })
          }
        />
      )}
    </div>
  );
}

/** The state of a shipment, as a desk says it. */
export function stateWords(stateCode: string | null): string {
  const { states, noState } = currentMessages().desk;
  return (states as Readonly<Record<string, string>>)[stateCode ?? ''] ?? noState;
}

const titleOf = ({ title }: ItemFound): string => title ?? currentMessages().desk.forms.untitled;

const placeOf = ({ lockerName, pupName }: ItemFound): string =>
  [lockerName && midSentence(common().locker(lockerName)), pupName].filter(Boolean).join(', ');

export function Item(item: ItemFound) {
  const { referenceNo, title, stateCode } = item;
  return (
    <>
      <strong>{titleOf(item)}</strong> {referenceNo !== title && referenceNo}{' '}
      <span class="soft">{[placeOf(item), stateWords(stateCode)].filter(Boolean).join(' · ')}</span>
    </>
  );
}

interface ChosenProps {
  readonly label: string;
  readonly forget: () => void;
  readonly children: ComponentChildren;
}

const Chosen = ({ label, forget, children }: ChosenProps) => (
  <div class="field">
    <p class="label">{label}</p>
    <p class="row chosen">
      <span>{children}</span> <Button press={forget}>{currentMessages().desk.forms.change}</Button>
    </p>
  </div>
);
