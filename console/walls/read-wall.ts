// One pick up point as it stands: each locker, its door, and what holds it since when.

import { goalIn } from '../../contract/machines/access.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { isInside } from '../../contract/wire/states.ts';
import { byHandForm } from '../../processes/action-forms/by-hand-form.ts';
import { takenOutAmong } from '../../processes/inbox/out-of-order.ts';
import { affectedAt } from '../../processes/inbox/stuck-doors.ts';
import { isBeingPutIn } from '../../processes/views/being-put-in.ts';
import {
  formatOfflineWall,
  isBehindOfflineWall,
  OFFLINE_REMEDY,
  offlineSince,
} from '../../processes/views/offline-wall.ts';
import { failingSince, formatReason } from '../../processes/views/shut-doors.ts';
import {
  type Owner,
  ownersOf,
  runningAmong,
  UIDS_PER_QUERY,
  workflowIdsOf,
} from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { manyWithAbout } from '../find/entries-about.ts';
import { formatItemState } from '../item-state.ts';
import { type Locker, lockersOf } from '../pages-of-service.ts';
import { deskAccount } from '../people.ts';
import type { ConsoleReaders } from '../readers.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { aboutTiles } from './about-tiles.ts';
import { roundOf } from './round.ts';
import { straysAmong } from './strays.ts';
import type { HeldBy, WallLocker, WallView } from './walls-view.ts';

// The most that the service gives at a time.
const PAGE_SIZE = 500;
// The wall is the service's: it does not wait for Temporal.
const TEMPORAL_WITHIN_MS = 1_500;

/** @param aheadMs of the service's clock */
export async function readWall(
  parts: ConsoleParts,
  readers: ConsoleReaders,
  pupUid: string,
  aheadMs: number,
): Promise<WallView> {
  const { service } = parts;
  const [points, lockers, records] = await Promise.all([
    service.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid }),
    lockersOf(parts, pupUid),
    activeShipments(parts, pupUid),
  ]);
  const point = points.items.find((each) => each.pupUid === pupUid);
  if (!point)
    throw new ConsoleRefusal(
      404,
      'InvalidPupUid',
      t`There is no pick up point ${pupUid}. Choose one of the list.`,
    );
  const uids = lockers.flatMap(({ shipments, leftShipmentUid }) =>
    [...shipments.map(({ shipmentUid }) => shipmentUid), leftShipmentUid].filter((uid) => uid !== null),
  );
  const [owners, takenOut] = await Promise.all([ownersKnown(parts, uids), takenOutAmong(parts, lockers)]);
  const name = point.name ?? pupUid;
  const cutOff = lockers.filter(isBehindOfflineWall);
  const shown = lockers.map((locker) => ({
    ...lockerOf(locker, records, owners ?? new Map()),
    takenOut: takenOut.get(locker.lockerUid ?? '') ?? null,
  }));
  const abouts = await aboutTiles(parts, readers, shown, records);
  const offlineOf = async (of: string, many: ReturnType<typeof affectedAt>) => ({
    words: `${formatOfflineWall(of, offlineSince(cutOff))}.`,
    toDo: OFFLINE_REMEDY(),
    many: many ? await manyWithAbout(parts, readers.subjects, many) : null,
    // Where the cases are not known, nothing is said to be without one.
    strays: owners === null ? [] : await straysAmong(parts, shown, abouts),
  });
  return {
    pupUid,
    name,
    lockers: shown,
    abouts,
    round: roundOf({ lockers: shown, abouts, desk: await deskAccount(parts) }),
    unread: owners === null ? [t`the cases of its lockers`] : [],
    offline: cutOff.length > 0 ? await offlineOf(name, affectedAt(cutOff, owners ?? new Map())) : null,
    sizes: [...new Set(lockers.map(({ size }) => size ?? ''))],
    clockAheadMs: aheadMs,
  };
}

type Shipment = Response<'GetShipments'>['items'][number];

/** By uid. */
async function activeShipments(
  { service }: ConsoleParts,
  pupUid: string,
): Promise<ReadonlyMap<string, Shipment>> {
  const { items } = await service.call('GetShipments', {
    pageNo: 1,
    pageSize: PAGE_SIZE,
    bookedPupUid: pupUid,
    activeShipments: true,
  });
  return new Map(items.flatMap((each) => (each.shipmentUid ? [[each.shipmentUid, each] as const] : [])));
}

/** By uid; null: Temporal does not answer, and the wall is shown without processes. */
export async function ownersKnown(
  { client }: Pick<ConsoleParts, 'client'>,
  uids: readonly string[],
): Promise<ReadonlyMap<string, readonly Owner[]> | null> {
  const known = new Map<string, readonly Owner[]>();
  for (let from = 0; from < uids.length; from += UIDS_PER_QUERY) {
    const some = uids.slice(from, from + UIDS_PER_QUERY);
    const owners = await client
      .withDeadline(Date.now() + TEMPORAL_WITHIN_MS, () => ownersOf(client, some))
      .catch(() => null);
    if (owners === null) return null;
    for (const [uid, all] of owners) known.set(uid, all);
  }
  return known;
}

export function lockerOf(
  locker: Locker,
  records: ReadonlyMap<string, Shipment>,
  owners: ReadonlyMap<string, readonly Owner[]>,
): WallLocker {
  const { lockerUid, lockerName, size, state, door, lastAccess, doorFailure } = locker;
  const isStuck = doorFailure != null && !isBehindOfflineWall(locker) && locker.outOfOrder !== true;
  const ofLeft = owners.get(locker.leftShipmentUid ?? '') ?? [];
  const [openOfLeft] = runningAmong(ofLeft);
  return {
    lockerUid: lockerUid ?? '',
    lockerName: lockerName ?? '',
    size: size ?? '',
    state: (state ?? 'Free') as WallLocker['state'],
    outOfOrder: locker.outOfOrder === true,
    takenOut: null,
    toBeEmptied: locker.toBeEmptied === true,
    door: door ?? 'Unknown',
    doorOpenSince: utcOf(locker.doorOpenSince),
    doorFailure:
      doorFailure?.reason && !isBehindOfflineWall(locker)
        ? { since: utcOf(failingSince(locker)), reason: formatReason(doorFailure.reason) }
        : null,
    lastAccess: lastAccess?.occurredAt
      ? {
          at: `${lastAccess.occurredAt}Z`,
          goal: lastAccess.accessGoal,
          why: lastAccess.why,
          by: lastAccess.onBehalfOf,
        }
      : null,
    leftShipmentUid: locker.leftShipmentUid,
    leftWorkflowId: openOfLeft ?? workflowIdsOf(ofLeft)[0] ?? null,
    isLeftByOpen: openOfLeft !== undefined,
    shipments: locker.shipments.map(({ shipmentUid: uid, stateCode, fromUserUid, toUserUid }): HeldBy => {
      const shipmentUid = uid ?? '';
      const goal = goalIn(stateCode);
      const isOpening = isInside(stateCode) && isBeingPutIn(locker);
      return {
        shipmentUid,
        stateCode: stateCode ?? '',
        goal,
        words: formatItemState({ stateCode, toUserUid, isBeingPutIn: isOpening }),
        isInside: isInside(stateCode) && !isOpening,
        byHand: goal ? byHandForm({ shipmentUid, goal, isStuck }) : null,
        fromUserUid,
        toUserUid,
        since: utcOf(records.get(shipmentUid)?.stateStart),
        workflowId: runningAmong(owners.get(shipmentUid) ?? [])[0] ?? null,
      };
    }),
  };
}

/** The service writes moments in UTC, without saying so. */
const utcOf = (moment: string | null | undefined): string | null => (moment ? `${moment}Z` : null);
