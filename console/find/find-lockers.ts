// Finds lockers by their number, alone or with the name of the place: "15", "locker 15", "Station 5".
import pLimit from 'p-limit';
import { standingOpen } from '../../processes/inbox/open-doors.ts';
import { isItemInside } from '../../processes/inbox/stuck-doors.ts';
import { unlessUnknown } from '../../processes/locker-service.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { lockersOf } from '../pages-of-service.ts';
import type { LockerFound } from './find-view.ts';
import { type PickUpPoint, pickUpPoints } from './pick-up-points.ts';

/** Doors are not read from here: which lockers there are hardly changes. */
const KEPT_MS = 30_000;
/** Doors do: a person types on meanwhile. */
const DOORS_MS = 2_000;
/** A number alone may be at every pick up point. */
const CALLS_AT_ONCE = 8;

type Parts = Pick<ConsoleParts, 'service' | 'shared'>;
type Installed = Omit<LockerFound, 'doorOpenSince'>;

export async function findLockers(parts: Parts, text: string, most: number): Promise<LockerFound[]> {
  const { place, number } =
    /^(?<place>.*?)(?:^|\s)(?:locker\s+)?(?<number>[a-z]?\d{1,4})$/i.exec(text)?.groups ?? {};
  if (place === undefined || number === undefined) return [];
  const named = place.trim().toLowerCase();
  const points = (await pickUpPoints(parts)).filter(({ name }) => name.toLowerCase().includes(named));
  const limit = pLimit(CALLS_AT_ONCE);
  const found = await Promise.all(points.map((point) => limit(() => lockersAt(parts, point))));
  const isIt = ({ lockerName }: Installed) => lockerName.toLowerCase() === number.toLowerCase();
  const matches = found.flatMap((lockers) => lockers.filter(isIt)).slice(0, most);
  const open = matches.length > 0 ? await openSince(parts) : new Map<string, string>();
  return matches.map((locker) => ({ ...locker, doorOpenSince: open.get(locker.lockerUid) ?? null }));
}

/** By lockerUid, of the doors that stand open now: ISO 8601. */
const openSince = (parts: Parts): Promise<ReadonlyMap<string, string>> =>
  parts.shared.of('doors that stand open', DOORS_MS, async () => {
    const { open = [] } = (await unlessUnknown(() => standingOpen(parts, 0))) ?? {};
    return new Map(open.map(({ lockerUid, doorOpenSince }) => [lockerUid ?? '', `${doorOpenSince}Z`]));
  });

const lockersAt = (parts: Parts, { pupUid, name }: PickUpPoint): Promise<Installed[]> =>
  parts.shared.of(`lockers of ${pupUid}`, KEPT_MS, async () => {
    const lockers = (await unlessUnknown(() => lockersOf(parts, pupUid))) ?? [];
    return lockers.flatMap((locker): Installed[] => {
      const { lockerUid, lockerName, state } = locker;
      if (!lockerUid || !lockerName) return [];
      const isInside = isItemInside(locker);
      return [{ pupUid, pupName: name, lockerUid, lockerName, state: state ?? '', isInside }];
    });
  });
