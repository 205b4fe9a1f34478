// Where: a pick up point by its name, what fits there, and which locker.

import { t } from '../../../shared/texts/text.ts';
import type { DeskLockers, Dimension } from '../../desk/desk-view.ts';
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { SelectField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useLive } from '../shell/live.ts';
import type { FieldInForm } from './form-values.ts';

/** By its name, with what is free; one that does not answer says so before it is chosen, and what follows. */
export function PickUpPointField({ field, label, values, wrong, change }: FieldInForm) {
  const { path, description } = field;
  const { data = [], refusal } = useLive<readonly PickUpPointRow[]>('/api/walls');
  const value = values[path] ?? '';
  const chosen = data.find(({ pupUid }) => pupUid === value);
  return (
    <>
      {refusal && data.length === 0 && <RefusalNote refusal={refusal} />}
      <SelectField
        label={label}
        hint={description ?? undefined}
        name={path}
        value={value}
        wrong={wrong[path]}
        set={(pupUid) => change({ [path]: pupUid })}
      >
        <option value="">{t`Choose…`}</option>
        {data.map(({ pupUid, name, free, isOffline }) => (
          <option key={pupUid} value={pupUid}>
            {name} ({isOffline ? t`offline` : t`${free} free`})
          </option>
        ))}
      </SelectField>
      {chosen?.isOffline && (
        <p class="note is-offline" role="status">
          <strong>{t`${chosen.name} is offline.`}</strong>{' '}
          {t`A locker can be booked there, but no door opens until the wall answers.`}
        </p>
      )}
    </>
  );
}

const useLockers = (pupUid: string | undefined) =>
  useLive<DeskLockers>(pupUid ? `/api/desk/lockers/${encodeURIComponent(pupUid)}` : undefined).data;

const SIDES = ['width', 'height', 'length'] as const;

/** The three sides; a size that the pick up point has fills them in. */
export function SizeField({ field, label, values, wrong, change, inner }: FieldInForm) {
  const { path, at, children = [] } = field;
  const lockers = useLockers(at === undefined ? undefined : values[at]);
  const sizes = (lockers?.sizes ?? []).flatMap(({ innerDimension, ...each }) =>
    innerDimension ? [{ ...each, innerDimension }] : [],
  );
  const typed = SIDES.map((side) => values[`${path}.${side}`] ?? '').join();
  const textOf = (dimension: Dimension) => SIDES.map((side) => dimension[side]).join();
  const chosen = sizes.find(({ innerDimension }) => textOf(innerDimension) === typed);
  const fill = (name: string) => {
    const dimension = sizes.find(({ size }) => size === name)?.innerDimension;
    change(Object.fromEntries(SIDES.map((side) => [`${path}.${side}`, `${dimension?.[side] ?? ''}`])));
  };
  return (
    <fieldset class={wrong[path] ? 'is-wrong' : undefined}>
      <legend>{label}</legend>
      {sizes.length > 0 && (
        <SelectField
          label={t`Size of locker`}
          name={path}
          value={chosen?.size ?? ''}
          wrong={wrong[path]}
          set={fill}
        >
          <option value="">{t`Own measures`}</option>
          {sizes.map(({ size, innerDimension, free }) => (
            <option
              key={size}
              value={size}
            >{t`${size} up to ${measures(innerDimension)} (${free} free)`}</option>
          ))}
        </SelectField>
      )}
      {inner(children)}
      {sizes.length === 0 && wrong[path] && <p class="wrong">{wrong[path]}</p>}
    </fieldset>
  );
}

const measures = (dimension: Dimension): string =>
  SIDES.map((side) => dimension[side].toLocaleString('en')).join(' × ');

export function LockerField({ field: { path, at }, label, values, wrong, change }: FieldInForm) {
  const lockers = useLockers(at === undefined ? undefined : values[at]);
  return (
    <SelectField
      label={label}
      name={path}
      value={values[path] ?? ''}
      wrong={wrong[path]}
      set={(chosen) => change({ [path]: chosen })}
    >
      <option value="">{t`The first free one that fits`}</option>
      {lockers?.free.map((each) => (
        <option key={each.lockerUid} value={each.lockerUid}>
          {each.lockerName} ({each.size})
        </option>
      ))}
    </SelectField>
  );
}
