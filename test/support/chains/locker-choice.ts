// Which lockers a booking may get, written from the interface and assumptions: Lockers and codes and not from the service's SQL: the
// lockers of the first permitted class that has a free one, or the error code.

import type { Box } from '../../../service/sides.ts';
import { insides, type Size } from '../new-pick-up-point.ts';
import type { Booking } from './chain-calls.ts';

export interface Locker {
  readonly lockerUid: string;
  readonly pupUid: string;
  readonly size: Size;
  readonly state: 'Booked' | 'OutOfOrder' | 'ToBeEmptied' | 'Free';
}

export type Choice =
  | { readonly lockers: readonly Locker[] }
  | { readonly error: 'InvalidLockerUid' | 'NoFittingLocker' | 'NoLockerAvailable' };

/** `pupUids`: the pick up point booked and its overflow pick up points, in their order. `lockers`: all there are. */
export function lockerChoice(
  booking: Booking,
  pupUids: readonly string[],
  lockers: readonly Locker[],
  isCollectOnly: boolean,
): Choice {
  const { lockerUid, dimension, allowLargerLockers, allowOverflowLockers } = booking;
  const [own] = pupUids;
  const permitted = (allowOverflowLockers ? pupUids : pupUids.slice(0, 1)).flatMap((pupUid) => {
    const there = lockers.filter((locker) => locker.pupUid === pupUid);
    const fitting = bySize(there).filter(([first]) => first && fits(dimension, insides[first.size]));
    return allowLargerLockers ? fitting : fitting.slice(0, 1);
  });
  if (lockerUid !== undefined) {
    const named = lockers.find((locker) => locker.lockerUid === lockerUid && locker.pupUid === own);
    if (!named) return { error: 'InvalidLockerUid' };
    if (!fits(dimension, insides[named.size])) return { error: 'NoFittingLocker' };
    const isFree = named.state === 'Free' || (named.state === 'ToBeEmptied' && isCollectOnly);
    return isFree && permitted.flat().includes(named) ? { lockers: [named] } : { error: 'NoLockerAvailable' };
  }
  if (permitted.length === 0) return { error: 'NoFittingLocker' };
  const free = permitted.map((each) => each.filter(({ state }) => state === 'Free'));
  const first = free.find((each) => each.length > 0);
  return first ? { lockers: first } : { error: 'NoLockerAvailable' };
}

function bySize(lockers: readonly Locker[]): Locker[][] {
  const volume = ({ size }: Locker) => insides[size].width * insides[size].height * insides[size].length;
  const groups = Map.groupBy(lockers, ({ size }) => size);
  return [...groups.values()].sort(([one], [other]) => (one && other ? volume(one) - volume(other) : 0));
}

/** In any of the six orientations, each of them tried. */
function fits(item: Box, inside: Box): boolean {
  const { width: x, height: y, length: z } = item;
  const orientations = [
    [x, y, z],
    [x, z, y],
    [y, x, z],
    [y, z, x],
    [z, x, y],
    [z, y, x],
  ] as const;
  const { width, height, length } = inside;
  return orientations.some(([a, b, c]) => a <= width && b <= height && c <= length);
}
