// Items that the cancelled shipments of a process left in their lockers. What a later booking of it has got is left no more.
import type { ItemLeft } from '../../contract/flows/flow-result.ts';
import type { BookingSnapshot } from './booking-state.ts';
import { isCollectOnly, itemsLeft } from './settlement.ts';

/** Those of each booking, in the order of the bookings. */
export const itemsStillLeft = (bookings: readonly BookingSnapshot[]): ItemLeft[][] =>
  bookings.map((booking) =>
    itemsLeft(booking.flow, booking.view.known).filter(
      (item) => !bookings.some((other) => isNotBefore(other, booking) && hasGot(other, item)),
    ),
  );

const isNotBefore = (other: BookingSnapshot, booking: BookingSnapshot): boolean =>
  other !== booking && bookedAt(other) >= bookedAt(booking);

const bookedAt = ({ view: { known } }: BookingSnapshot): number => Date.parse(known.booking?.knownAt ?? '');

/** Its locker is booked only for whoever fetches it, or after that. One who has not fetched it, and will not, leaves it there. */
const hasGot = ({ flow, view: { known } }: BookingSnapshot, { pupUid, lockerName }: ItemLeft): boolean =>
  known.shipments.some(
    (shipment) =>
      lockerName !== null &&
      shipment.lockerName === lockerName &&
      shipment.pupUid === pupUid &&
      (shipment.stateCode !== 'Cancelled' ||
        shipment.pickedUpAt !== undefined ||
        !isCollectOnly(flow, shipment.role)),
  );
