// Where the items of a process are: in which locker, with whom, or left behind.
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { hasEnded } from '../../../contract/wire/states.ts';
import { formatName, formatState } from '../../../processes/views/format-names.ts';
import { type BookedShipment, shipmentsIn } from '../../../processes/views/progress.ts';
import type { ItemLocation, LockerShown } from './glance-view.ts';

/**
 * Where the items are now: the legs that are not over, or the last leg if all are. An ended process knows only where they were:
 * who had them next, others know.
 */
export function whereOf(progress: ProcessProgress, isOpen: boolean): ItemLocation[] {
  const { bookings } = progress;
  const left = bookings.flatMap(({ itemsLeft }) =>
    itemsLeft.map(({ lockerName, pupUid }) => ({
      words: lockerName === null ? 'Left in its locker' : `Left in locker ${lockerName}`,
      pupUid,
    })),
  );
  if (left.length > 0) return left;
  const places = shipmentsIn(progress).flatMap((leg) => placeOf(leg, isOpen) ?? []);
  const known = places.filter(({ isOver }) => !isOver);
  const shown = known.length > 0 ? known : places.slice(-1);
  return shown.map(({ words, pupUid, booking }) => ({ words: ofBooking(progress, booking, words), pupUid }));
}

/** With the booking, where the process has several. */
export function ofBooking({ bookings }: ProcessProgress, id: string | undefined, words: string): string {
  return id !== undefined && bookings.length > 1 ? `${formatName(id)}: ${uncapitalized(words)}` : words;
}

const uncapitalized = (words: string): string => words.slice(0, 1).toLowerCase() + words.slice(1);

interface Place extends ItemLocation {
  readonly booking: string;
  readonly isOver: boolean;
}

function placeOf({ booking, role, shipment }: BookedShipment, isOpen: boolean): Place | undefined {
  const { stateCode, lockerName, pupUid } = shipment;
  const locker = lockerName === null ? 'its locker' : `locker ${lockerName}`;
  const at = { pupUid, booking: booking.id };
  if (role === null) return undefined;
  switch (stateCode) {
    case 'ReadyForDropoff': {
      const isOut = Object.values(booking.shipments).some((each) => each.stateCode === 'Completed');
      const held = role === 'intake' && isOut ? 'With the user' : 'Not in a locker yet';
      const booked = lockerName === null ? '' : `; ${locker} is booked for it`;
      return { ...at, words: `${held}${booked}`, isOver: false };
    }
    case 'WaitForReceiver':
    case 'ReadyForPickup':
      return { ...at, words: `${isOpen ? 'In' : 'Was in'} ${locker}`, isOver: false };
    case 'Completed':
      return { ...at, words: role === 'intake' ? 'Brought back' : 'Taken out', isOver: true };
    default:
      return undefined;
  }
}

const goals: Readonly<Record<string, LockerShown['goal']>> = {
  ReadyForDropoff: 'DropOff',
  WaitForReceiver: 'PickUp',
  ReadyForPickup: 'PickUp',
};

/** What has ended has given its locker back. */
export function lockersOf(key: string, progress: ProcessProgress | null): LockerShown[] {
  return shipmentsIn(progress ?? { bookings: [] }).flatMap(({ shipment, name }) => {
    const { shipmentUid, stateCode, pupUid, lockerName } = shipment;
    if (lockerName === null || hasEnded(stateCode)) return [];
    const words = `${name}: ${formatState(stateCode ?? 'Unknown')}`;
    return [{ key, shipmentUid, words, pupUid, lockerName, goal: goals[stateCode ?? ''] ?? null }];
  });
}
