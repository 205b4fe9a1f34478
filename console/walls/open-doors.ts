// The doors that stand open now, with whose item is inside. Most are shut again at once; but a door that is open, and whose nobody knows,
// is what somebody at a desk must see.

import { standingOpen } from '../../processes/inbox/open-doors.ts';
import { isItemInside, uidsIn } from '../../processes/inbox/stuck-doors.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleReaders } from '../readers.ts';
import { aboutTiles } from './about-tiles.ts';
import { lockerOf, ownersKnown } from './read-wall.ts';
import type { OpenDoor } from './walls-view.ts';

/** By pupUid, the one that has stood open for longest first. */
export async function openDoors(
  parts: ConsoleParts,
  readers: ConsoleReaders,
): Promise<ReadonlyMap<string, readonly OpenDoor[]>> {
  const lockers = await openLockers(parts);
  if (lockers.length === 0) return new Map();
  const owners = (await ownersKnown(parts, lockers.flatMap(uidsIn))) ?? new Map();
  const shown = lockers.map((locker) => lockerOf(locker, new Map(), owners));
  const abouts = await aboutTiles(parts, readers, shown, new Map());
  const byPoint = new Map<string, OpenDoor[]>();
  for (const [index, locker] of lockers.entries()) {
    const { lockerUid, lockerName, doorOpenSince: since, shipments, leftWorkflowId } = shown[index] ?? {};
    if (!lockerUid || !since) continue;
    const [uid] = uidsIn(locker);
    const door: OpenDoor = {
      lockerUid,
      lockerName: lockerName ?? '',
      since,
      isInside: isItemInside(locker),
      isBooked: locker.shipments.length > 0,
      key: shipments?.find(({ workflowId }) => workflowId !== null)?.workflowId ?? leftWorkflowId ?? null,
      about: abouts[uid ?? ''] ?? null,
    };
    const pupUid = locker.pupUid ?? '';
    byPoint.set(pupUid, [...(byPoint.get(pupUid) ?? []), door].sort(byMoment));
  }
  return byPoint;
}

const byMoment = (one: OpenDoor, other: OpenDoor): number => one.since.localeCompare(other.since);

async function openLockers(parts: ConsoleParts) {
  try {
    return (await standingOpen(parts, 0)).open;
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'UnknownOperation') return [];
    throw error;
  }
}
