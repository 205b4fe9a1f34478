// What a message to a person might say, from what is known of the case: the item, where it is, what is wrong there or due. It names
// nobody and has no code, so that it may be kept in a history. A person may change it before it is sent.
import { LONGEST_MESSAGE } from '../../contract/flows/outreach.ts';
import { isInside } from '../../contract/wire/states.ts';
import { t } from '../../shared/texts/text.ts';
import type { PickUpPoint } from '../pick-up-points.ts';
import { formatMoment } from '../views/format-moment.ts';
import { capitalized } from '../views/format-names.ts';
import { isBehindOfflineWall } from '../views/offline-wall.ts';
import type { CaseAbout, CaseLocker } from './case-about.ts';

const LONGEST_ITEM = 120;

/** Null: nothing is known that they should be told. */
export function proposedText(
  { item, lockers: [locker] }: Pick<CaseAbout, 'item' | 'lockers'>,
  point: PickUpPoint | null,
): string | null {
  if (!locker || !point) return null;
  const what = formatWhat(item);
  const text = locker.fault === null ? dueText(locker, point, what) : faultText(locker, point, what);
  return text?.slice(0, LONGEST_MESSAGE) ?? null;
}

/** For a case that has ended while somebody has its item. */
export const returnText = ({ item }: Pick<CaseAbout, 'item'>): string =>
  t`Please bring ${formatWhat(item)} back as soon as you can: its loan has ended.`.slice(0, LONGEST_MESSAGE);

const formatWhat = (item: string | null): string =>
  item === null ? t`your item` : `“${item.slice(0, LONGEST_ITEM)}”`;

/** In these the person brings it; in the others the desk does, and they need not go there yet. */
const BROUGHT: readonly (string | null)[] = ['intake', 'shipment'];

function faultText(
  { fault, lockerName, stateCode, isLeft, role, awaited }: CaseLocker,
  { name, timeZone }: PickUpPoint,
  what: string,
): string | null {
  const isHere = isLeft || isInside(stateCode);
  if (!isHere && role !== null && !BROUGHT.includes(role)) return null;
  const wrong =
    fault && isBehindOfflineWall(fault)
      ? t`The lockers at ${name} cannot be opened at the moment.`
      : t`Locker ${lockerName} at ${name} does not open at the moment.`;
  const still = isHere ? t` It is still in the locker.` : '';
  const more = `${still}${timeLeft(awaited, isHere ? 'pickUp' : 'dropOff', timeZone)}`;
  return t`${wrong} Please do not ${isHere ? t`come for` : t`bring`} ${what} yet.${more}`;
}

/** The deadline after any extension; none if it has passed. */
function timeLeft(
  awaited: CaseLocker['awaited'],
  stage: 'pickUp' | 'dropOff',
  timeZone: string | null,
): string {
  if (awaited?.stage !== stage || awaited.until === null || awaited.isOverdue) return '';
  const until = formatMoment(awaited.until, timeZone);
  return stage === 'pickUp'
    ? t` You have until ${until} to pick it up.`
    : t` You have until ${until} to bring it.`;
}

function dueText(
  { lockerName, stateCode, role, awaited }: CaseLocker,
  { name, timeZone }: PickUpPoint,
  what: string,
): string | null {
  if (role === null || awaited === null) return null;
  const { stage, until, isOverdue = false } = awaited;
  const by = until === null ? '' : t` by ${formatMoment(until, timeZone)}`;
  const locker = t`locker ${lockerName} at ${name}`;
  if (stage === 'dropOff' && BROUGHT.includes(role))
    return isOverdue
      ? t`${capitalized(what)} was to be put into ${locker}${by}. Please bring it as soon as you can.`
      : t`Please put ${what} into ${locker}${by}.`;
  if (stage !== 'pickUp' || role === 'intake' || !isInside(stateCode)) return null;
  return isOverdue
    ? t`${capitalized(what)} was to be picked up${by}. It is still in ${locker}: please come for it.`
    : t`${capitalized(what)} is in ${locker}. Please pick it up${by}.`;
}
