// Finds lockers by their number, alone or with the name of the place: "15", "locker 15", "Station 5".
import pLimit from 'p-limit';
import { unlessUnknown } from '../../processes/locker-service.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { lockersOf } from '../pages-of-service.ts';
import type { LockerFound } from './find-view.ts';
import { type PickUpPoint, pickUpPoints } from './pick-up-points.ts';

/** Doors are not read from here: which lockers there are hardly changes. */
const KEPT_MS = 30_000;
/** A number alone may be at every pick up point. */
const CALLS_AT_ONCE = 8;

type Parts = Pick<ConsoleParts, 'service' | 'shared'>;

export async function findLockers(parts: Parts, text: string, most: number): Promise<LockerFound[]> {
  const { place, number } =
    /^(?<place>.*?)(?:^|\s)(?:locker\s+)?(?<number>[a-z]?\d{1,4})$/i.exec(text)?.groups ?? {};
  if (place === undefined || number === undefined) return [];
  const named = place.trim().toLowerCase();
  const points = (await pickUpPoints(parts)).filter(({ name }) => name.toLowerCase().includes(named));
  const limit = pLimit(CALLS_AT_ONCE);
  const found = await Promise.all(points.map((point) => limit(() => lockersAt(parts, point))));
  const isIt = ({ lockerName }: LockerFound) => lockerName.toLowerCase() === number.toLowerCase();
  return found.flatMap((lockers) => lockers.filter(isIt)).slice(0, most);
}

const lockersAt = (parts: Parts, { pupUid, name }: PickUpPoint): Promise<LockerFound[]> =>
  parts.shared.of(`lockers of ${pupUid}`, KEPT_MS, async () => {
    const lockers = (await unlessUnknown(() => lockersOf(parts, pupUid))) ?? [];
    return lockers.flatMap(({ lockerUid, lockerName, state }) =>
      lockerUid && lockerName ? [{ pupUid, pupName: name, lockerUid, lockerName, state: state ?? '' }] : [],
    );
  });
