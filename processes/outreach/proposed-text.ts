// What a message to a person might say, from what is known of the case: the item, where it is, what is wrong there or due. It names
// nobody and has no code, so that it may be kept in a history. A person may change it before it is sent.
import { LONGEST_MESSAGE } from '../../contract/flows/outreach.ts';
import { isInside } from '../../contract/wire/states.ts';
import { formatMoment } from '../views/format-moment.ts';
import { capitalized } from '../views/format-names.ts';
import { isBehindOfflineWall } from '../views/offline-wall.ts';
import type { CaseAbout, CaseLocker, PickUpPoint } from './case-about.ts';

const LONGEST_ITEM = 120;

/** Null: nothing is known that they should be told. */
export function proposedText(
  { item, lockers: [locker] }: Pick<CaseAbout, 'item' | 'lockers'>,
  point: PickUpPoint | null,
): string | null {
  if (!locker || !point) return null;
  const what = item === null ? 'your item' : `“${item.slice(0, LONGEST_ITEM)}”`;
  const text = locker.fault === null ? dueText(locker, point, what) : faultText(locker, point, what);
  return text?.slice(0, LONGEST_MESSAGE) ?? null;
}

function faultText(
  { fault, lockerName, stateCode }: CaseLocker,
  { name }: PickUpPoint,
  what: string,
): string {
  const isHere = isInside(stateCode);
  const wrong =
    fault && isBehindOfflineWall(fault)
      ? `The lockers at ${name} cannot be opened at the moment.`
      : `Locker ${lockerName} at ${name} does not open at the moment.`;
  return `${wrong} Please do not ${isHere ? 'come for' : 'bring'} ${what} yet.${
    isHere ? ' It is still in the locker.' : ''
  }`;
}

function dueText(
  { lockerName, stateCode, role, awaited }: CaseLocker,
  { name, timeZone }: PickUpPoint,
  what: string,
): string | null {
  if (role === null || awaited === null) return null;
  const { stage, until, isOverdue = false } = awaited;
  const by = until === null ? '' : ` by ${formatMoment(until, timeZone)}`;
  const locker = `locker ${lockerName} at ${name}`;
  if (stage === 'dropOff' && (role === 'intake' || role === 'shipment'))
    return isOverdue
      ? `${capitalized(what)} was to be put into ${locker}${by}. Please bring it as soon as you can.`
      : `Please put ${what} into ${locker}${by}.`;
  if (stage !== 'pickUp' || role === 'intake' || !isInside(stateCode)) return null;
  return isOverdue
    ? `${capitalized(what)} was to be picked up${by}. It is still in ${locker}: please come for it.`
    : `${capitalized(what)} is in ${locker}. Please pick it up${by}.`;
}
