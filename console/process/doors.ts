// The doors of the lockers that a process's shipments have, as the locker service knows them now. Another service may not tell
// them: then nothing is shown.

import type { Progress } from '../../contract/flows/flow-messages.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { lockersOf } from '../lockers-of.ts';
import type { LockerDoor } from './process-view.ts';

/** A person waits for a door: it is seen within a second. */
export const DOORS_EVERY_MS = 800;
interface Place {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** Null: the locker service does not tell them. */
export async function doorsOf(
  parts: Pick<ConsoleParts, 'service'>,
  progress: unknown,
): Promise<readonly LockerDoor[] | null> {
  const places = placesIn(progress);
  const pupUids = [...new Set(places.flatMap(({ pupUid }) => pupUid ?? []))];
  try {
    const doors = await Promise.all(pupUids.map((pupUid) => doorsAt(parts, pupUid)));
    const isWanted = ({ pupUid, lockerName }: LockerDoor) =>
      places.some((place) => place.pupUid === pupUid && place.lockerName === lockerName);
    return doors.flat().filter(isWanted);
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'UnknownOperation') return null;
    throw error;
  }
}

/** What has ended has given its locker back. */
const ENDED: ReadonlySet<string | null> = new Set(['Completed', 'Cancelled']);

/** None of a process without shipments. */
function placesIn(progress: unknown): Place[] {
  const { shipments = {}, unassigned = [] } = (progress ?? {}) as Partial<Progress>;
  return [...Object.values(shipments), ...unassigned].filter(({ stateCode }) => !ENDED.has(stateCode));
}

async function doorsAt(parts: Pick<ConsoleParts, 'service'>, pupUid: string): Promise<LockerDoor[]> {
  const lockers = await lockersOf(parts, pupUid);
  return lockers.map(({ lockerName, door, doorFailure }) => ({
    pupUid,
    lockerName: lockerName ?? '',
    door: door ?? 'Unknown',
    stayedShut: doorFailure?.reason ?? null,
  }));
}
