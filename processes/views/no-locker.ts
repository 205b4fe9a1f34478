// Why a booking found no free locker, for people: in one sentence, and what was tried in another.
import type { LockersTried } from '../../contract/wire/lockers-tried.ts';
import { t } from '../../shared/texts/text.ts';
import { capitalized } from './format-names.ts';

/** "Station is full: no locker is free for 20 × 30 × 40 cm"; without names of pick up points only what holds for each. */
export function formatNoLocker(
  { itemSides, tried }: LockersTried,
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const what = t`no locker is free for ${itemSides.join(' × ')} cm`;
  const places = placesOf(tried);
  const named = places.flatMap((pupUid) => names.get(pupUid) ?? []);
  if (named.length === 0 || named.length < places.length) return what;
  const isFull = tried.every(({ lockers, taken }) => taken >= lockers);
  if (!isFull) return t`at ${inList(named)} ${what}`;
  return t`${inList(named)} ${named.length === 1 ? t`is` : t`are`} full: ${what}`;
}

/** "Tried: 5 lockers M (5 taken), 3 L (2 taken, 1 out of order)." */
export function formatTried(
  { tried, allowLargerLockers, allowOverflowLockers }: LockersTried,
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const isOne = placesOf(tried).length < 2;
  const sizes = tried.map(({ size, lockers, pupUid, ...counts }) => {
    const at = isOne ? '' : t` at ${names.get(pupUid) ?? pupUid}`;
    return t`${lockers} of size ${size}${at} (${formatCounts(counts)})`;
  });
  const larger = allowLargerLockers ? t`larger lockers were allowed` : t`larger lockers were not allowed`;
  const overflow = allowOverflowLockers
    ? t`other pick up points were allowed`
    : t`other pick up points were not allowed`;
  const all = sizes.length === 0 ? '' : `${t`Tried: ${sizes.join(', ')}.`} `;
  return `${all}${capitalized(larger)}, ${overflow}.`;
}

const placesOf = (tried: LockersTried['tried']): string[] => [...new Set(tried.map(({ pupUid }) => pupUid))];

const inList = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : t`${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

type Counts = Pick<LockersTried['tried'][number], 'taken' | 'outOfOrder' | 'toBeEmptied' | 'doorOpen'>;

const formatCounts = ({ taken, outOfOrder, toBeEmptied, doorOpen = 0 }: Counts): string =>
  [
    ...(taken > 0 ? [t`${taken} taken`] : []),
    ...(outOfOrder > 0 ? [t`${outOfOrder} out of order`] : []),
    ...(toBeEmptied > 0 ? [t`${toBeEmptied} to be emptied`] : []),
    ...(doorOpen === 1 ? [t`1 with its door open`] : []),
    ...(doorOpen > 1 ? [t`${doorOpen} with their doors open`] : []),
  ].join(', ') || t`taken a moment ago`;
