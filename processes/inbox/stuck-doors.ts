// Doors that stayed shut when they were to open, and walls that are cut off, as the locker service knows them.
import { goalIn } from '../../contract/machines/access.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { isInside } from '../../contract/wire/states.ts';
import { type Owner, ownersOf, runningAmong, workflowIdsOf } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import { putInOrder, takeOutOfOrder } from '../action-forms/locker-order-forms.ts';
import type { ActionForm } from '../action-forms/question-forms.ts';
import { stuckDoorForms } from '../action-forms/stuck-door-forms.ts';
import { isBeingPutIn } from '../views/being-put-in.ts';
import {
  formatOfflineWall,
  isBehindOfflineWall,
  OFFLINE_REMEDY,
  offlineSince,
} from '../views/offline-wall.ts';
import { doorsThatStayedShut, failingSince, formatReason } from '../views/shut-doors.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

type Locker = Response<'GetLockers'>['items'][number];

/** Before all else but what a flow says is more urgent: a person waits at the wall, not at a screen. */
export const DOOR_PRIORITY = 90;

export const doors: InboxSource = { kind: 'door', what: () => t`doors that stayed shut`, read: readDoors };

async function readDoors(parts: InboxParts): Promise<SourceRead> {
  const { items, totalItems } = await doorsThatStayedShut(parts);
  const stuck = items.filter(isInTheWay);
  const uids = stuck.flatMap(uidsIn);
  const owners = await ownersOf(parts.client, uids);
  const isWhole = (totalItems ?? items.length) <= items.length;
  return {
    entries: incidentsIn(stuck).flatMap((together) => doorEntries(together, owners)),
    ...(!isWhole && { incomplete: t`only ${items.length} of ${totalItems} lockers were read` }),
  };
}

type Owners = ReadonlyMap<string, readonly Owner[]>;

const openAt = ({ shipments }: Locker, owners: Owners): string[] =>
  shipments.flatMap(({ shipmentUid }) => runningAmong(owners.get(shipmentUid ?? '') ?? []));

/** The process whose shipment left an item has often ended. */
const keyAt = (locker: Locker, owners: Owners): string | null =>
  [...openAt(locker, owners), ...workflowIdsOf(owners.get(locker.leftShipmentUid ?? '') ?? [])][0] ?? null;

/** Whoever cannot reach one of these lockers, also to bring something: their open processes, with what helps all of them. */
export function affectedAt(lockers: readonly Locker[], owners: Owners): InboxEntry['many'] {
  const keys = [
    ...new Set(lockers.filter(isInTheWay).flatMap((locker) => openAt(locker, owners).slice(0, 1))),
  ];
  return keys.length > 0 ? { keys, remedy: 'message' } : undefined;
}

/** A service that does not know the filter lists the others too. One that is out of order is seen to once nobody needs it. */
const isInTheWay = (locker: Locker): boolean => {
  const { outOfOrder, shipments, doorFailure } = locker;
  if (doorFailure == null) return false;
  if (outOfOrder === true) return hasItem(locker) || isToBeBrought(locker);
  return shipments.length > 0 || doorFailure.occurredAt !== null;
};

/** Somebody is told to bring an item to it. */
export const isToBeBrought = ({ shipments }: Pick<Locker, 'shipments'>): boolean =>
  shipments.some(({ stateCode }) => goalIn(stateCode) === 'DropOff');

/** An item of a shipment that is under way, or one left behind. */
export const hasItem = ({ shipments, toBeEmptied }: Locker): boolean =>
  toBeEmptied === true || shipments.some(({ stateCode }) => isInside(stateCode));

/** What is being put in may not be inside yet. */
export const isItemInside = (locker: Locker): boolean => hasItem(locker) && !isBeingPutIn(locker);

export const uidsIn = ({ shipments, leftShipmentUid }: Locker): string[] =>
  [...shipments.map(({ shipmentUid }) => shipmentUid), leftShipmentUid].filter((uid) => uid !== null);

/**
 * A wall that does not answer is one incident, however many lockers it has. One that is out of order has a remedy of its own,
 * unless its wall is what is wrong.
 */
function incidentsIn(stuck: readonly Locker[]): Locker[][] {
  const incidents = new Map<string, Locker[]>();
  for (const locker of stuck) {
    const { pupUid, lockerUid, outOfOrder, doorFailure } = locker;
    const isOffline = isBehindOfflineWall(locker);
    const isAlone = outOfOrder === true && !isOffline;
    const id = JSON.stringify(isAlone ? lockerUid : [pupUid, isOffline ? null : doorFailure?.reason]);
    incidents.set(id, [...(incidents.get(id) ?? []), locker]);
  }
  return [...incidents.values()];
}

function doorEntries(together: readonly Locker[], owners: Owners): InboxEntry[] {
  const [first, ...others] = together;
  if (!first) return [];
  if (isBehindOfflineWall(first)) {
    const strays = together.filter((locker) => hasItem(locker) && openAt(locker, owners).length === 0).length;
    return [offlineEntry(first.pupUid ?? '', together, { many: affectedAt(together, owners), strays })];
  }
  const { pupUid, lockerUid, lockerName, doorFailure } = first;
  const [since = null] = together.flatMap((each) => failingSince(each) ?? []).sort();
  const names = together.map((each) => each.lockerName).join(', ');
  const known = {
    kind: 'door',
    since: since === null ? null : `${since}Z`,
    clockAheadMs: 0,
    pupUid,
    priority: DOOR_PRIORITY,
  } as const;
  if (others.length === 0) {
    const key = keyAt(first, owners);
    return [
      {
        ...known,
        ...textsOf(first, key),
        id: `door:${lockerUid}`,
        key,
        lockerUid,
        lockerName,
        shipmentUid: uidsIn(first)[0] ?? null,
      },
    ];
  }
  return [
    {
      ...known,
      id: `door:${pupUid}:${doorFailure?.reason}`,
      title: t`${together.length} doors of ${pupUid} stay shut`,
      why: t`Lockers ${names} cannot be opened: ${formatReason(doorFailure?.reason)}.`,
      ifNothing: NOBODY_CAN(),
      toDo: t`Let somebody go there, and open them again. Where several doors stay shut for one reason, see to the wall, too.`,
      key: null,
      lockerName: null,
      shipmentUid: null,
      actions: [],
    },
  ];
}

type Texts = Pick<InboxEntry, 'title' | 'why' | 'ifNothing' | 'toDo' | 'actions'>;

const NOBODY_CAN = () => t`Whoever stands before it cannot put the item in, or take it out.`;

function textsOf(locker: Locker, key: string | null): Texts {
  if (locker.outOfOrder !== true) return stayedShut(locker);
  return hasItem(locker) ? lockedIn(locker, key) : lockedOut(locker);
}

/** The locker is out of order already, and somebody is told to bring an item to it. */
const lockedOut = (locker: Locker): Texts => ({
  title: t`Locker ${locker.lockerName} of ${locker.pupUid} is out of order, and an item is to be brought to it`,
  why: lastTry(locker),
  ifNothing: NOBODY_PUTS_IN(),
  toDo: t`Have it mended, and put it in order again. If only the key opens the door, say that the item was put in.`,
  actions: [...atItsDoor(locker), putInOrder(locker.lockerUid ?? '')],
});

export const NOBODY_PUTS_IN = () => t`Whoever brings the item cannot put it in.`;

const titleOf = ({ lockerName, pupUid }: Locker) =>
  t`The door of locker ${lockerName} of ${pupUid} stayed shut`;

export const lastTry = ({ doorFailure }: Locker) =>
  t`The last try to open it failed: ${formatReason(doorFailure?.reason)}.`;

const stayedShut = (locker: Locker): Texts => ({
  title: titleOf(locker),
  why: lastTry(locker),
  ifNothing: NOBODY_CAN(),
  toDo: t`Let somebody go there, and open it again. If only the key opens it, say what became of the item, and take the locker out of order.`,
  actions: [...atItsDoor(locker), takeOutOfOrder(locker.lockerUid ?? '')],
});

/** The locker is out of order already. Whom the item is for says the locker's page, to those who may see people. */
function lockedIn(locker: Locker, key: string | null): Texts {
  const { toBeEmptied, leftShipmentUid, shipments } = locker;
  const [uid] = uidsIn(locker);
  const whose = key ?? (uid === undefined ? null : t`the shipment ${uid}`);
  const isLeft = toBeEmptied === true && leftShipmentUid !== null && shipments.length === 0;
  return {
    title: t`${titleOf(locker)}, with an item inside`,
    why: `${lastTry(locker)} ${
      whose === null ? t`It is not known whose item is inside.` : t`Inside is the item of ${whose}.`
    }`,
    ifNothing: t`The item stays locked in, and whoever comes for it cannot take it out.`,
    toDo: t`The locker is out of order, and the item is still inside: have the door opened, then ${
      isLeft ? t`say that the locker is empty` : t`give it out, and say so`
    }.`,
    actions: atItsDoor(locker),
  };
}

/** For the shipment whose turn it is. */
const atItsDoor = (locker: Locker): ActionForm[] =>
  locker.shipments.flatMap(({ shipmentUid, stateCode }) => {
    const goal = goalIn(stateCode);
    return shipmentUid === null || goal === null ? [] : stuckDoorForms({ shipmentUid, goal }, locker);
  });

interface Affected {
  readonly many: InboxEntry['many'];
  /** How many of its items no case follows. */
  readonly strays: number;
}

/** None of its doors was asked to open. */
function offlineEntry(pupUid: string, together: readonly Locker[], { many, strays }: Affected): InboxEntry {
  const since = offlineSince(together);
  const names = together.flatMap(({ lockerName }) => lockerName ?? []);
  return {
    id: `door:${pupUid}:offline`,
    kind: 'door',
    since,
    clockAheadMs: 0,
    title: formatAffected(pupUid, together.filter(hasItem).length),
    why: t`${formatOfflineWall(pupUid, since)}. This concerns ${names.length === 1 ? t`locker` : t`lockers`} ${names.join(', ')}.`,
    ifNothing: t`Whoever goes there can put nothing in, and take nothing out.`,
    toDo: `${OFFLINE_REMEDY()}${toDoForStrays(strays)}`,
    key: null,
    pupUid,
    lockerName: null,
    shipmentUid: null,
    priority: DOOR_PRIORITY,
    offlineWall: pupUid,
    ...(many && { many }),
    actions: [],
  };
}

function toDoForStrays(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? t` Another person is told from the page of the wall: no case follows their item.`
    : t` ${count} more people are told from the page of the wall: no case follows their items.`;
}

function formatAffected(pupUid: string, count: number): string {
  if (count === 0) return formatOfflineWall(pupUid, null);
  return t`${pupUid} is offline: ${count === 1 ? t`one item` : t`${count} items`} cannot be reached`;
}
