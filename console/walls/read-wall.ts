// One pick up point as it stands: each locker, its door, and what holds it since when.
import {
  formatOfflineWall,
  isBehindOfflineWall,
  OFFLINE_REMEDY,
  offlineSince,
} from '../../processes/views/offline-wall.ts';
import {
  type Holder,
  holdersOf,
  runningAmong,
  UIDS_PER_QUERY,
  workflowIdsOf,
} from '../../shared/routing/owners.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type Locker, lockersOf } from '../pages-of-service.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { HeldBy, WallLocker, WallView } from './walls-view.ts';

// The most that the service gives at a time.
const PAGE_SIZE = 500;
// The wall is the service's: it does not wait for Temporal.
const TEMPORAL_WITHIN_MS = 1_500;

/** @param aheadMs of the service's clock */
export async function readWall(parts: ConsoleParts, pupUid: string, aheadMs: number): Promise<WallView> {
  const { service } = parts;
  const [points, lockers, starts] = await Promise.all([
    service.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid }),
    lockersOf(parts, pupUid),
    stateStarts(parts, pupUid),
  ]);
  const point = points.items.find((each) => each.pupUid === pupUid);
  if (!point)
    throw new ConsoleRefusal(
      404,
      'InvalidPupUid',
      `There is no pick up point ${pupUid}. Choose one of the list.`,
    );
  const uids = lockers.flatMap(({ shipments, leftShipmentUid }) =>
    [...shipments.map(({ shipmentUid }) => shipmentUid), leftShipmentUid].filter((uid) => uid !== null),
  );
  const holders = await holdersKnown(parts, uids);
  const name = point.name ?? pupUid;
  const cutOff = lockers.filter(isBehindOfflineWall);
  return {
    pupUid,
    name,
    lockers: lockers.map((locker) => lockerOf(locker, starts, holders ?? new Map())),
    unread: holders === null ? ['the processes of its lockers'] : [],
    offline:
      cutOff.length > 0
        ? { words: `${formatOfflineWall(name, offlineSince(cutOff))}.`, toDo: OFFLINE_REMEDY }
        : null,
    sizes: [...new Set(lockers.map(({ size }) => size ?? ''))],
    clockAheadMs: aheadMs,
  };
}

/** Since when each active shipment is in its state. */
async function stateStarts({ service }: ConsoleParts, pupUid: string): Promise<ReadonlyMap<string, string>> {
  const { items } = await service.call('GetShipments', {
    pageNo: 1,
    pageSize: PAGE_SIZE,
    bookedPupUid: pupUid,
    activeShipments: true,
  });
  return new Map(
    items.flatMap(({ shipmentUid, stateStart }) =>
      shipmentUid && stateStart ? [[shipmentUid, `${stateStart}Z`] as const] : [],
    ),
  );
}

/** By uid; null: Temporal does not answer, and the wall is shown without processes. */
async function holdersKnown(
  { client }: ConsoleParts,
  uids: readonly string[],
): Promise<ReadonlyMap<string, readonly Holder[]> | null> {
  const known = new Map<string, readonly Holder[]>();
  for (let from = 0; from < uids.length; from += UIDS_PER_QUERY) {
    const some = uids.slice(from, from + UIDS_PER_QUERY);
    const holders = await client
      .withDeadline(Date.now() + TEMPORAL_WITHIN_MS, () => holdersOf(client, some))
      .catch(() => null);
    if (holders === null) return null;
    for (const [uid, all] of holders) known.set(uid, all);
  }
  return known;
}

function lockerOf(
  locker: Locker,
  starts: ReadonlyMap<string, string>,
  holders: ReadonlyMap<string, readonly Holder[]>,
): WallLocker {
  const { lockerUid, lockerName, size, state, door, lastAccess, doorFailure } = locker;
  return {
    lockerUid: lockerUid ?? '',
    lockerName: lockerName ?? '',
    size: size ?? '',
    state: (state ?? 'Free') as WallLocker['state'],
    outOfOrder: locker.outOfOrder === true,
    toBeEmptied: locker.toBeEmptied === true,
    door: door ?? 'Unknown',
    doorOpenSince: locker.doorOpenSince && `${locker.doorOpenSince}Z`,
    doorFailure:
      doorFailure?.reason && !isBehindOfflineWall(locker)
        ? { at: doorFailure.occurredAt && `${doorFailure.occurredAt}Z`, reason: doorFailure.reason }
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
    leftWorkflowId: workflowIdsOf(holders.get(locker.leftShipmentUid ?? '') ?? [])[0] ?? null,
    shipments: locker.shipments.map(
      ({ shipmentUid, stateCode, fromUserUid, toUserUid }): HeldBy => ({
        shipmentUid: shipmentUid ?? '',
        stateCode: stateCode ?? '',
        fromUserUid,
        toUserUid,
        since: starts.get(shipmentUid ?? '') ?? null,
        workflowId: runningAmong(holders.get(shipmentUid ?? '') ?? [])[0] ?? null,
      }),
    ),
  };
}
