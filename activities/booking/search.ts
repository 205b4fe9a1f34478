// Looks in the service's listing for a booking whose answer was lost (architecture: Unknown outcome): adopts only what can be
// no other's, and says "none" only of a listing that was complete.

import type { Role, Superseded } from '../../contract/index.ts';
import { findShipment, type ListedShipment, listShipments } from '../../shared/locker-api/list-shipments.ts';
import { caseNoOf, otherOwners, signalFollowed } from '../flow-directory.ts';
import { type ReadingDependencies, shipmentReader } from '../operation-call.ts';
import { adopterOf, ownKey, reserve } from './adoption.ts';
import {
  bookingsAmong,
  type FoundBooking,
  hasOwnCaseNo,
  isDistinct,
  type SoughtBooking,
} from './possible-bookings.ts';
import { type Booker, bookerOf } from './shipment-booker.ts';
import type { Search } from './unknown-outcome.ts';

/** What a booking's answer says, whichever of its two forms it has. */
export interface BookingAnswer {
  readonly shipmentUids: readonly string[];
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

// The service's clock may be this far behind ours: what it booked just after the attempt began must still be listed.
const CLOCK_SKEW_MS = 120_000;

/** @param since epoch milliseconds of the first attempt in doubt */
export async function searchBooking(
  dependencies: ReadingDependencies,
  sought: SoughtBooking,
  since: number,
): Promise<Search<BookingAnswer>> {
  const { shipments, isComplete } = await listedSince(dependencies, sought, since);
  const bookings = await Promise.all(
    bookingsAmong(shipments, sought).map(async (booking) => ({
      booking,
      claim: await claim(booking, sought),
    })),
  );
  const unproven = bookings.filter(({ claim: { is } }) => is === 'unclear' || is === 'pending');
  const ours = bookings.filter((each) => each.claim.is !== 'anothers' && !unproven.includes(each));
  const [only, ...more] = ours;
  const uids = (only ? ours : unproven).flatMap(({ booking }) =>
    [...booking.values()].map(({ shipmentUid }) => shipmentUid),
  );
  const candidates = [...new Set(uids)];
  const unclear = (why: string) => ({ found: 'unclear' as const, why, candidates });
  if (!isComplete) return unclear('the listing has more shipments than the worker reads');
  if (!only && unproven.length > 0) {
    const why = 'a shipment that another flow or program has issued since may be this booking';
    return unproven.every(({ claim: { is } }) => is === 'pending')
      ? { found: 'pending', why, candidates }
      : unclear(why);
  }
  if (!only) return { found: 'none' };
  if (more.length > 0) return unclear('several shipments in the listing may be this booking');
  if (only.claim.is === 'disputed')
    return unclear('another flow with the same case number holds the prior shipment');
  if (only.claim.is === 'adopted') return unclear(ADOPTED);
  if (!isDistinct(sought))
    return unclear(
      'a shipment in the listing may be this booking, but the booking has no reference to tell it by',
    );
  const adopter = await reserve(adoptedUids(only.booking, sought), sought.booking);
  if (adopter !== null) return unclear(ADOPTED);
  await Promise.all(only.claim.takenOver.map((each) => signalFollowed(ownKey(), 'superseded', each)));
  return { found: 'one', answer: answerOf(only.booking) };
}

const ADOPTED = 'another flow has adopted the shipment that may be this booking';

/** A prior that another flow has stocked is not adopted with the booking, unless this flow takes it over. */
function adoptedUids(booking: FoundBooking, { priorShipmentUid, takesOver }: SoughtBooking): string[] {
  const uids = [...booking.values()].map(({ shipmentUid }) => shipmentUid);
  return takesOver ? uids : uids.filter((uid) => uid !== priorShipmentUid);
}

async function listedSince(dependencies: ReadingDependencies, sought: SoughtBooking, since: number) {
  const updatedSince = new Date(since - CLOCK_SKEW_MS).toISOString();
  const reader = shipmentReader(dependencies, { endsWithCancellation: false });
  const filter = { updatedSince, sortBy: 'CreatedDesc' } as const;
  const { shipments, isComplete } = await listShipments(reader, filter);
  const { priorShipmentUid } = sought;
  const isListed = shipments.some(({ shipmentUid }) => shipmentUid === priorShipmentUid);
  if (priorShipmentUid === null || isListed) return { shipments, isComplete };
  const prior = await findShipment(reader, priorShipmentUid);
  return { shipments: prior ? [...shipments, prior] : shipments, isComplete };
}

interface Claim {
  readonly is: 'free' | 'disputed' | 'adopted' | 'anothers' | 'unclear' | 'pending';
  /** What other flows have taken over from this one, before it knew of it. */
  readonly takenOver: readonly Superseded[];
}

const claimed = (is: Claim['is'], takenOver: Claim['takenOver'] = []): Claim => ({ is, takenOver });

/** Whether another flow has the booking. */
async function claim(booking: FoundBooking, sought: SoughtBooking): Promise<Claim> {
  const takenOver: Superseded[] = [];
  const open = new Set<Booker['is']>();
  for (const [role, record] of booking) {
    const { shipmentUid } = record;
    if (shipmentUid === sought.priorShipmentUid) continue;
    const booker = await bookerOf(record, bookedWith(record, role, sought), sought.booking);
    if (booker.is === 'another')
      return claimed((await adopterOf(shipmentUid, sought.booking)) === null ? 'anothers' : 'adopted');
    if (booker.is !== 'this') open.add(booker.is);
    else takenOver.push(...booker.takenOverBy.map((byWorkflowId) => ({ shipmentUid, byWorkflowId })));
  }
  if (open.size > 0) return claimed(open.has('unknown') ? 'unclear' : 'pending');
  return claimed((await isDisputed(sought)) ? 'disputed' : 'free', takenOver);
}

/** Undefined where the shipment still has that case number. */
function bookedWith(record: ListedShipment, role: Role, sought: SoughtBooking): string | null | undefined {
  if (hasOwnCaseNo(record, role, sought)) return undefined;
  return sought.references.find((each) => each.role === role)?.referenceCaseNo;
}

/**
 * A prior is held by the flow that stocked it too, with every right; but where one of the same case holds it, nothing tells
 * which of the two issued it.
 */
async function isDisputed({ takesOver, priorShipmentUid, caseNo }: SoughtBooking): Promise<boolean> {
  if (!takesOver || priorShipmentUid === null) return false;
  const rivals = await otherOwners(priorShipmentUid, 'running');
  const cases = await Promise.all(rivals.map(caseNoOf));
  return cases.some((other) => other === caseNo || isCut(other, caseNo));
}

// The engine keeps 255 bytes of a case number for those who search by it; the last character may not fit, of 4 at most.
const SHORTEST_CUT_BYTES = 252;

function isCut(prefix: string | null, whole: string | null): boolean {
  return (
    prefix !== null && Buffer.byteLength(prefix) >= SHORTEST_CUT_BYTES && whole?.startsWith(prefix) === true
  );
}

function answerOf(booking: FoundBooking): BookingAnswer {
  const records = [...booking.values()];
  return {
    shipmentUids: records.map(({ shipmentUid }) => shipmentUid),
    pupUid: records.find(({ pupUid }) => pupUid !== null)?.pupUid ?? null,
    lockerName: records.find(({ lockerName }) => lockerName !== null)?.lockerName ?? null,
  };
}
