// Who and what: a person by any part of the name, and an item by its description, reference or locker.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { ItemFound, PersonFound } from '../../desk/desk-view.ts';
import { Button } from '../parts/button.tsx';
import { midSentence } from '../parts/format.ts';
import { type FieldInForm, isNewPerson, isWrongIn, nameKey, newKey, type Values } from './form-values.ts';
import { SearchField } from './search-field.tsx';

/** An account, or somebody who gets one with the process. */
export function PersonField({ field, label, values, wrong, change, inner }: FieldInForm) {
  const { path, accountPath, children = [] } = field;
  const isNew = isNewPerson(path, values);
  const valuesOf = (person: Partial<PersonFound>): Values => ({
    [path]: person.userUid ?? '',
    [nameKey(path)]: nameOf(person),
    ...(!person.userUid && {
      [newKey(path)]: 'true',
      ...Object.fromEntries(first.map((name) => [`${accountPath}.${name}`, person[name] ?? ''])),
    }),
  });
  return (
    <SearchedField
      label={label}
      name={values[nameKey(path)]}
      set={(name) => change({ [path]: '', [nameKey(path)]: '', [newKey(path)]: '', ...name })}
      search={(take) => (
        <SearchField<PersonFound>
          label={label}
          hint={t`Any part of a name, an e-mail address or a remark.`}
          wrong={wrong[path]}
          pathOf={(text) => `/api/desk/people?${new URLSearchParams({ text })}`}
          // Without an account nobody can be taken where none can be made.
          mayTake={({ userUid }) => userUid !== null || accountPath !== undefined}
          row={Person}
          take={(person) => take(valuesOf(person))}
          none={t`Nobody is found.`}
          other={(text) =>
            accountPath !== undefined && (
              <Button press={() => take(valuesOf(newPerson(text)))}>{t`Somebody new: ${text}`}</Button>
            )
          }
        />
      )}
    >
      {isNew && (
        <fieldset>
          <legend>{t`An account is made for them`}</legend>
          {inner(children.filter(isAskedFirst))}
          <details open={children.some((each) => !isAskedFirst(each) && isWrongIn(each.path, wrong))}>
            <summary>{t`More about the person`}</summary>
            {inner(children.filter((each) => !isAskedFirst(each)))}
          </details>
        </fieldset>
      )}
    </SearchedField>
  );
}

const first = ['emailAddress', 'firstName', 'lastName', 'phoneNumber', 'languageCode'] as const;

const isAskedFirst = ({ path, isRequired }: { readonly path: string; readonly isRequired: boolean }) =>
  isRequired || first.some((name) => path.endsWith(`.${name}`));

const nameOf = ({ firstName, lastName, emailAddress, userUid }: Partial<PersonFound>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || emailAddress || (userUid ?? '?');

function newPerson(text: string): Partial<PersonFound> {
  if (text.includes('@')) return { emailAddress: text };
  const [firstName = '', ...others] = text.split(/\s+/);
  return { firstName, lastName: others.join(' ') };
}

function Person(person: PersonFound) {
  const { emailAddress, remarks, userUid } = person;
  const name = nameOf(person);
  return (
    <>
      <strong>{name}</strong> {name !== emailAddress && emailAddress}{' '}
      <span class="badge">{userUid === null ? t`no account yet` : t`account`}</span>
      {remarks && <span class="soft"> {remarks}</span>}
    </>
  );
}

export function ItemField({ field: { path, kind, description }, label, values, wrong, change }: FieldInForm) {
  const isStock = kind === 'stockItem';
  return (
    <SearchedField
      label={label}
      name={values[nameKey(path)]}
      set={(item) => change({ [path]: '', [nameKey(path)]: '', ...item })}
      search={(take) => (
        <ItemSearch
          kind={isStock ? 'stock' : 'intake'}
          label={label}
          wrong={wrong[path]}
          hint={description ?? t`Any part of a description, a reference or a place.`}
          none={isStock ? t`No such item is in stock.` : t`No such item is on its way back.`}
          asksAtOnce
          take={(item) =>
            take({
              [path]: item.shipmentUid,
              [nameKey(path)]: [titleOf(item), placeOf(item)].filter(Boolean).join(', '),
            })
          }
        />
      )}
    />
  );
}

interface ItemSearchProps {
  readonly kind: 'stock' | 'intake' | 'parcel';
  readonly label: string;
  readonly hint: string;
  readonly none: string;
  readonly wrong?: string | undefined;
  readonly asksAtOnce?: boolean;
  readonly take: (item: ItemFound) => void;
}

export const ItemSearch = ({ kind, ...props }: ItemSearchProps) => (
  <SearchField<ItemFound>
    {...props}
    pathOf={(text) => `/api/desk/items?${new URLSearchParams({ kind, text })}`}
    row={Item}
  />
);

const titleOf = ({ title }: ItemFound): string => title ?? t`An item without a name`;

const placeOf = ({ lockerName, pupName }: ItemFound): string =>
  [lockerName && midSentence(t`Locker ${lockerName}`), pupName].filter(Boolean).join(', ');

function Item(item: ItemFound) {
  const { referenceNo, title } = item;
  return (
    <>
      <strong>{titleOf(item)}</strong> {referenceNo !== title && referenceNo}{' '}
      <span class="soft">{[placeOf(item), item.words].filter(Boolean).join(' · ')}</span>
    </>
  );
}

interface SearchedFieldProps {
  readonly label: string;
  /** What is taken; nothing: it is searched for. */
  readonly name: string | undefined;
  readonly set: (values: Values) => void;
  readonly search: (take: (values: Values) => void) => ComponentChildren;
  readonly children?: ComponentChildren;
}

function SearchedField({ label, name, set, search, children }: SearchedFieldProps) {
  const frame = useRef<HTMLDivElement>(null);
  // The control that was pressed is gone: a keyboard goes on at what came in its place.
  const setAndGoOn = (values: Values) => {
    set(values);
    setTimeout(() => frame.current?.querySelector<HTMLElement>('input, button')?.focus());
  };
  if (!name) return <div ref={frame}>{search(setAndGoOn)}</div>;
  return (
    <div ref={frame} class="field">
      <p class="label">{label}</p>
      {children}
      <p class="row">
        <span>{name}</span>
        <Button press={() => setAndGoOn({})}>{t`Change`}</Button>
      </p>
    </div>
  );
}
