// The doors of the lockers that a process's shipments have, as the locker service knows them now. Another service may not tell
// them: then nothing is shown.
import { z } from 'zod';
import { LockerApiError } from '../../activities/api/index.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { lockersOf } from '../lockers-of.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { LockerDoor } from './process-view.ts';

/** A person waits for a door: it is seen within a second. */
export const DOORS_EVERY_MS = 800;
// A shipment has one locker, so a process has few of them.
const MOST_PLACES = 20;

const places = z
  .array(z.tuple([z.string().min(1).max(200), z.string().min(1).max(200)]))
  .min(1)
  .max(MOST_PLACES);

/** @param argument the places as JSON: [[pupUid, lockerName], …] */
export async function doorsOf(
  parts: Pick<ConsoleParts, 'service'>,
  argument: string,
): Promise<readonly LockerDoor[] | null> {
  const wanted = placesIn(argument);
  const pupUids = [...new Set(wanted.map(([pupUid]) => pupUid))];
  try {
    const doors = await Promise.all(pupUids.map((pupUid) => doorsAt(parts, pupUid)));
    const isWanted = ({ pupUid, lockerName }: LockerDoor) =>
      wanted.some(([pup, name]) => pup === pupUid && name === lockerName);
    return doors.flat().filter(isWanted);
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'UnknownOperation') return null;
    throw error;
  }
}

function placesIn(argument: string): z.infer<typeof places> {
  const { success, data } = places.safeParse(jsonIn(argument));
  if (success) return data;
  const example = '[["pup-central","7"]]';
  throw new ConsoleRefusal(400, 'WrongRequest', `doors: expected the places of lockers, like ${example}.`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Refused as any other text that names no places.
  }
}

async function doorsAt(parts: Pick<ConsoleParts, 'service'>, pupUid: string): Promise<LockerDoor[]> {
  const lockers = await lockersOf(parts, pupUid);
  return lockers.map(({ lockerName, door, doorFailure }) => ({
    ...{ pupUid, lockerName: lockerName ?? '', door: door ?? 'Unknown' },
    stayedShut: doorFailure?.reason ?? null,
  }));
}
