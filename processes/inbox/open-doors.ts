// Doors that stand open for longer than somebody needs to put an item in or take it out, as the locker service knows them.
import type { Response } from '../../contract/operations/operations.ts';
import { ownersOf, runningAmong } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import { takeOutOfOrder } from '../action-forms/locker-order-forms.ts';
import { isBeingPutIn } from '../views/being-put-in.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';
import { hasItem, uidsIn } from './stuck-doors.ts';

type Locker = Response<'GetLockers'>['items'][number];

/** Nobody puts an item in for so long: a door is opened, filled and shut within a minute. What is inside is anybody's until then. */
const OPEN_WITH_ITEM_SECONDS = 2 * 60;
/** Nothing can be taken from an empty locker, and whoever forgot the door may still come back. */
const OPEN_EMPTY_SECONDS = 5 * 60;
const MAX_DOORS = 100;
/** What is inside can be taken by anybody: as urgent as a person before a door that stays shut. */
const PRIORITY_WITH_ITEM = 90;

export const openDoors: InboxSource = {
  kind: 'openDoor',
  what: () => t`doors that stand open`,
  read: readOpenDoors,
};

interface StandingOpen {
  readonly open: readonly Locker[];
  readonly listed: number;
  readonly total: number | null;
}

/**
 * A service that does not know the filter lists all lockers, and says of none since when it is open.
 * @param forSeconds 0: also those that somebody has just opened
 */
export async function standingOpen(
  { service }: Pick<InboxParts, 'service'>,
  forSeconds: number,
): Promise<StandingOpen> {
  const request = { pageNo: 1, pageSize: MAX_DOORS, doorOpenForSeconds: forSeconds };
  const { items, totalItems } = await service.call('GetLockers', request);
  const open = items.filter(({ doorOpenSince }) => doorOpenSince != null);
  return { open, listed: items.length, total: totalItems };
}

/** Those that somebody must go to: for how long depends on what can be taken. */
export async function forgottenOpen(parts: Pick<InboxParts, 'service'>): Promise<StandingOpen> {
  const [withItem, empty] = await Promise.all([
    standingOpen(parts, OPEN_WITH_ITEM_SECONDS),
    standingOpen(parts, OPEN_EMPTY_SECONDS),
  ]);
  const isLong = new Set(empty.open.map(({ lockerUid }) => lockerUid));
  const open = withItem.open.filter((locker) => hasItem(locker) || isLong.has(locker.lockerUid));
  return { ...withItem, open };
}

async function readOpenDoors(parts: InboxParts): Promise<SourceRead> {
  const { open, listed, total } = await forgottenOpen(parts);
  const owners = await ownersOf(parts.client, open.flatMap(uidsIn));
  const keyOf = (locker: Locker) =>
    uidsIn(locker).flatMap((uid) => runningAmong(owners.get(uid) ?? []))[0] ?? null;
  const isWhole = open.length === 0 || (total ?? listed) <= listed;
  return {
    entries: open.map((locker) => openDoorEntry(locker, keyOf(locker))),
    ...(!isWhole && { incomplete: t`only ${listed} of ${total} lockers were read` }),
  };
}

function openDoorEntry(locker: Locker, key: string | null): InboxEntry {
  const { lockerUid, lockerName, pupUid, outOfOrder, doorOpenSince } = locker;
  const since = `${doorOpenSince}Z`;
  const isInside = hasItem(locker);
  const inside = isBeingPutIn(locker) ? t`, opened to put an item in` : t`, and an item is inside`;
  return {
    id: `openDoor:${lockerUid}`,
    kind: 'openDoor',
    since,
    clockAheadMs: 0,
    title: t`The door of locker ${lockerName} of ${pupUid} stands open`,
    why: t`It stands open since ${since}${isInside ? inside : ''}.`,
    ifNothing: isInside
      ? t`Anybody can take out what is inside.`
      : t`Anybody can put something in${outOfOrder ? '' : t`, and no booking gets this locker until it is shut`}.`,
    toDo: t`Let somebody go there, look inside and shut the door: then this ends.${
      outOfOrder ? '' : t` If it does not stay shut, take the locker out of order.`
    }`,
    key,
    pupUid,
    lockerUid,
    lockerName,
    shipmentUid: uidsIn(locker)[0] ?? null,
    ...(isInside && { priority: PRIORITY_WITH_ITEM }),
    actions: outOfOrder ? [] : [takeOutOfOrder(lockerUid ?? '')],
  };
}
