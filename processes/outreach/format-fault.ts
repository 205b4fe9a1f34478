// What is wrong with a door or a wall, as a mechanic is told: by the last try to open it.

import { t } from '../../shared/texts/text.ts';
import { formatOfflineWall, isBehindOfflineWall, offlineSince } from '../views/offline-wall.ts';
import type { ShutDoor } from '../views/shut-doors.ts';

/** @param wall its name, for people */
export function formatFault(door: ShutDoor, wall: string): string {
  const { lockerName, doorFailure } = door;
  if (isBehindOfflineWall(door)) return `${formatOfflineWall(wall, offlineSince([door]))}.`;
  return t`The door of locker ${lockerName} stayed shut: ${doorFailure.reason}.`;
}
