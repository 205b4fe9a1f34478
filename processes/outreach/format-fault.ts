// What is wrong with a door or a wall, as a mechanic is told: by the last try to open it.

import { t } from '../../shared/texts/text.ts';
import type { PickUpPoint } from '../pick-up-points.ts';
import { formatMoment } from '../views/format-moment.ts';
import { formatOfflineWall, isBehindOfflineWall, offlineSince } from '../views/offline-wall.ts';
import { formatReason, type ShutDoor } from '../views/shut-doors.ts';

export function formatFault(door: ShutDoor, { name, timeZone }: PickUpPoint): string {
  const { lockerName, doorFailure } = door;
  if (isBehindOfflineWall(door)) {
    const since = offlineSince([door]);
    return `${formatOfflineWall(name, since && formatMoment(since, timeZone))}.`;
  }
  return t`The door of locker ${lockerName} stayed shut: ${formatReason(doorFailure.reason)}.`;
}
