// What a row of a list says in words: whom it is for, where it is, and what is next. The page and the command line say the same.
import { t } from '../../shared/texts/text.ts';
import type { ProcessRow } from './process-list.ts';

/** Null: nobody has said, or it is not for the reader to know. */
export function formatPeople({ about }: Pick<ProcessRow, 'about'>): string | null {
  const [first, ...others] = about?.people ?? [];
  if (!first) return null;
  const name = first.name ?? first.userUid;
  return others.length > 0 ? t`${name} and ${others.length} more` : name;
}

export const placeOf = ({
  summary,
  itemLeft,
  pickUpPoint,
}: Pick<ProcessRow, 'summary' | 'itemLeft' | 'pickUpPoint'>) =>
  summary?.where?.pupUid ?? itemLeft?.pupUid ?? pickUpPoint;

/** @param place the name of its pick up point */
export function formatWhere(
  { summary, itemLeft }: Pick<ProcessRow, 'summary' | 'itemLeft'>,
  place: string | null,
): string | null {
  const left = itemLeft && { words: t`Left in locker ${itemLeft.lockerName}`, isWithPerson: false };
  const { words, isWithPerson } = summary?.where ?? left ?? {};
  if (words === undefined) return place;
  // The place is where it is to be brought.
  return place === null || isWithPerson ? words : `${words}, ${place}`;
}

export const formatNext = ({ next, states }: NonNullable<ProcessRow['summary']>): string =>
  next?.words ?? states.map((each) => each.words).join('; ');

/** A process whose command a part of it takes, to which the same is done. */
export const formatDoneWith = (part: string): string => t`done with ${part}`;
