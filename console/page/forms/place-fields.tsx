// Where: a pick up point by its name, what fits there, and which locker.
import { useEffect, useId, useState } from 'preact/hooks';
import type { DeskLockers, Dimension, LockerSize } from '../../desk/desk-view.ts';
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { SelectField, useFocusWhereWrong } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Ago, Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { common, currentMessages, localeNow } from '../shell/locale.ts';
import type { FieldInForm } from './form-values.ts';

/** By its name, with what is free; one that does not answer says so before it is chosen, and what follows. */
export function PickUpPointField({
  field: { path, description },
  label,
  values,
  wrong,
  change,
}: FieldInForm) {
  const { forms: words } = currentMessages().desk;
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
        set={(chosen) => change({ [path]: chosen })}
      >
        <option value="">{common().choose}</option>
        {data.map(({ pupUid, name, free, isOffline }) => (
          <option key={pupUid} value={pupUid}>
            {name} ({isOffline ? words.offline : words.free(free)})
          </option>
        ))}
      </SelectField>
      {chosen?.isOffline && (
        <p class="note offline-note" role="status">
          <strong>{words.wallOffline(chosen.name)}</strong>{' '}
          {chosen.offlineSince && (
            <>
              {words.since} <Time at={chosen.offlineSince} /> (<Ago at={chosen.offlineSince} />
              ).{' '}
            </>
          )}
          {words.offlineMeans}
        </p>
      )}
    </>
  );
}

const useLockers = (pupUid: string | undefined) =>
  useLive<DeskLockers>(pupUid ? `/api/desk/lockers/${encodeURIComponent(pupUid)}` : undefined).data;

/** The sizes that the pick up point has, with their inner sides; or the own measures, with what they fit into. */
export function SizeField({
  field: { path, at, isRequired, children = [] },
  label,
  values,
  wrong,
  change,
  inner,
}: FieldInForm) {
  const { forms: words } = currentMessages().desk;
  const id = useId();
  const lockers = useLockers(at === undefined ? undefined : values[at]);
  const sizes = lockers?.sizes.filter(hasInner) ?? [];
  const [isOwn, setOwn] = useState(false);
  const sides = ['width', 'height', 'length'].map((side) => values[`${path}.${side}`] ?? '');
  const chosen = isOwn ? undefined : sizes.find(({ innerDimension }) => isSame(innerDimension, sides));
  const isOwnShown = isOwn || sizes.length === 0 || (sides.some(Boolean) && !chosen);
  const set = (dimension: Dimension | undefined) =>
    change(
      Object.fromEntries(
        (['width', 'height', 'length'] as const).map((side) => [
          `${path}.${side}`,
          dimension ? String(dimension[side]) : '',
        ]),
      ),
    );
  const first = isOwnShown ? `${id}-own` : `${id}-0`;
  useFocusWhereWrong(sizes.length > 0 ? first : '', wrong[path]);
  const choice = (index: string, isChosen: boolean, choose: () => void) => ({
    type: 'radio' as const,
    id: `${id}-${index}`,
    name: path,
    checked: isChosen,
    onChange: choose,
    ...(wrong[path] && { 'aria-invalid': true as const, 'aria-describedby': `${id}-wrong` }),
  });
  return (
    <fieldset class={wrong[path] ? 'field sizes is-wrong' : 'field sizes'}>
      <legend>{label}</legend>
      {sizes.length > 0 && (
        <div class="cards size-choice">
          {sizes.map((each, index) => (
            <label key={each.size} class="size">
              <input
                {...choice(String(index), !isOwnShown && each === chosen, () => {
                  setOwn(false);
                  set(each.innerDimension);
                })}
              />
              <span>
                <strong>{each.size}</strong> {words.upTo(measures(each.innerDimension))}
                <br />
                <span class={each.free === 0 ? 'bad-text' : 'soft'}>{words.free(each.free)}</span>
              </span>
            </label>
          ))}
          <label class="size">
            <input
              {...choice('own', isOwnShown, () => {
                setOwn(true);
                set(undefined);
              })}
            />
            <span>{words.ownMeasures}</span>
          </label>
        </div>
      )}
      {isOwnShown && <div class="measures">{inner(children)}</div>}
      {isOwnShown && sizes.length > 0 && <p role="status">{fitsWords(sizes, sides)}</p>}
      {!isRequired && sizes.length === 0 && <p class="hint">{words.optionalSize}</p>}
      {wrong[path] && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong[path]}
        </p>
      )}
    </fieldset>
  );
}

type KnownSize = LockerSize & { readonly innerDimension: Dimension };

const hasInner = (size: LockerSize): size is KnownSize => size.innerDimension !== null;

const sidesOf = ({ width, height, length }: Dimension): number[] => [width, height, length];

const isSame = (dimension: Dimension, sides: readonly string[]): boolean =>
  sidesOf(dimension).every((side, index) => String(side) === sides[index]);

const measures = (dimension: Dimension): string =>
  sidesOf(dimension)
    .map((side) => side.toLocaleString(localeNow()))
    .join(' × ');

/** An item fits if it fits in any orientation: side by side, shortest first. */
function fitsWords(sizes: readonly KnownSize[], typed: readonly string[]): string {
  const { forms: words } = currentMessages().desk;
  const sides = typed.map((text) => Number(text.replace(',', '.')) || 0).sort((one, other) => one - other);
  if (sides.some((side) => side <= 0)) return '';
  const fitting = sizes.filter(({ innerDimension }) =>
    sidesOf(innerDimension)
      .sort((one, other) => one - other)
      .every((side, index) => (sides[index] ?? 0) <= side),
  );
  return fitting.length === 0 ? words.fitsNowhere : words.fits(fitting.map(({ size }) => size).join(', '));
}

export function LockerField({ field: { path, at }, label, values, wrong, change }: FieldInForm) {
  const { forms: words } = currentMessages().desk;
  const lockers = useLockers(at === undefined ? undefined : values[at]);
  const value = values[path] ?? '';
  const isGone = value !== '' && lockers && !lockers.free.some(({ lockerUid }) => lockerUid === value);
  // Another pick up point, or somebody else has it now.
  useEffect(() => {
    if (isGone) change({ [path]: '' });
  }, [isGone]);
  return (
    <SelectField
      label={label}
      name={path}
      value={value}
      wrong={wrong[path]}
      set={(chosen) => change({ [path]: chosen })}
    >
      <option value="">{words.firstThatFits}</option>
      {lockers?.free.map((each) => (
        <option key={each.lockerUid} value={each.lockerUid}>
          {each.lockerName} ({each.size})
        </option>
      ))}
    </SelectField>
  );
}
