// Looks in the service's listing for a booking whose answer was lost (architecture: Unknown outcome): adopts only what can be
// no other's, and says "none" only of a listing that was complete.

import { caseNoOf, otherHolders } from '../flow-directory.ts';
import { findShipment, listShipments, type ReadingMeans } from '../shipment-listing.ts';
import { adopterOf, reserve } from './adoption.ts';
import { bookingsAmong, type FoundBooking, isDistinct, type SoughtBooking } from './match.ts';
import type { Search } from './unknown-outcome.ts';

/** What a booking's answer says, whichever of its two forms it has. */
export interface BookingAnswer {
  readonly shipmentUids: readonly string[];
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

// The peer's clock may be this far behind ours: what it booked just after the attempt began must still be listed.
const CLOCK_SKEW_MS = 120_000;

const inDoubt = { endsWithCancellation: false };

/** @param since epoch milliseconds of the first attempt in doubt */
export async function searchBooking(
  means: ReadingMeans,
  sought: SoughtBooking,
  since: number,
): Promise<Search<BookingAnswer>> {
  const { shipments, isComplete } = await candidates(means, sought, since);
  const bookings = await Promise.all(
    bookingsAmong(shipments, sought).map(async (booking) => ({
      booking,
      claim: await claim(booking, sought),
    })),
  );
  const possible = bookings.filter((each) => each.claim !== 'anothers');
  const [only, ...more] = possible;
  const uids = possible.flatMap(({ booking }) => [...booking.values()].map(({ shipmentUid }) => shipmentUid));
  const unclear = (why: string) => ({ found: 'unclear' as const, why, candidates: [...new Set(uids)] });
  if (!isComplete) return unclear('the listing has more shipments than the worker reads');
  if (!only) return { found: 'none' };
  if (more.length > 0) return unclear('several shipments in the listing may be this booking');
  if (only.claim === 'disputed')
    return unclear('another flow with the same case number holds the prior shipment');
  if (only.claim === 'adopted') return unclear(ADOPTED);
  if (!isDistinct(sought))
    return unclear(
      'a shipment in the listing may be this booking, but the booking has no reference to tell it by',
    );
  const adopter = await reserve(adoptedUids(only.booking, sought));
  if (adopter !== null) return unclear(ADOPTED);
  return { found: 'one', answer: answerOf(only.booking) };
}

const ADOPTED = 'another flow has adopted the shipment that may be this booking';

/** A prior that another flow has stocked is not adopted with the booking, unless this flow takes it over. */
function adoptedUids(booking: FoundBooking, { priorShipmentUid, takesOver }: SoughtBooking): string[] {
  const uids = [...booking.values()].map(({ shipmentUid }) => shipmentUid);
  return takesOver ? uids : uids.filter((uid) => uid !== priorShipmentUid);
}

async function candidates(means: ReadingMeans, sought: SoughtBooking, since: number) {
  const updatedSince = new Date(since - CLOCK_SKEW_MS).toISOString();
  const { shipments, isComplete } = await listShipments(
    means,
    { updatedSince, sortBy: 'CreatedDesc' },
    inDoubt,
  );
  const { priorShipmentUid } = sought;
  const isListed = shipments.some(({ shipmentUid }) => shipmentUid === priorShipmentUid);
  if (priorShipmentUid === null || isListed) return { shipments, isComplete };
  const prior = await findShipment(means, priorShipmentUid, inDoubt);
  return { shipments: prior ? [...shipments, prior] : shipments, isComplete };
}

/**
 * Whether another flow has the booking. A prior is held by the flow that stocked it too, with every right; but where one
 * of the same case holds it, nothing tells which of the two issued it.
 */
async function claim(
  booking: FoundBooking,
  sought: SoughtBooking,
): Promise<'free' | 'disputed' | 'adopted' | 'anothers'> {
  const own = [...booking.values()].filter(({ shipmentUid }) => shipmentUid !== sought.priorShipmentUid);
  for (const { shipmentUid } of own)
    if ((await otherHolders(shipmentUid, 'any')).length > 0)
      return (await adopterOf(shipmentUid)) === null ? 'anothers' : 'adopted';
  if (!sought.takesOver || sought.priorShipmentUid === null) return 'free';
  const rivals = await otherHolders(sought.priorShipmentUid, 'running');
  const cases = await Promise.all(rivals.map(caseNoOf));
  const isSame = (other: string | null) => other === sought.caseNo || isCut(other, sought.caseNo);
  return cases.some(isSame) ? 'disputed' : 'free';
}

// The driver keeps 255 bytes of a case number for those who search by it; the last character may not fit, of 4 at most.
const SHORTEST_CUT_BYTES = 252;

function isCut(kept: string | null, whole: string | null): boolean {
  return kept !== null && Buffer.byteLength(kept) >= SHORTEST_CUT_BYTES && whole?.startsWith(kept) === true;
}

function answerOf(booking: FoundBooking): BookingAnswer {
  const records = [...booking.values()];
  return {
    shipmentUids: records.map(({ shipmentUid }) => shipmentUid),
    pupUid: records.find(({ pupUid }) => pupUid !== null)?.pupUid ?? null,
    lockerName: records.find(({ lockerName }) => lockerName !== null)?.lockerName ?? null,
  };
}
