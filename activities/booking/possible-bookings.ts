// Which shipments of a listing may be a booking whose answer was lost (architecture: Unknown outcome). Pure; it does not know
// which of them other flows hold. Stock may have been issued since, and has another case number then: it is a match with any.

import type { BookedLeg } from '../../contract/flows/flow-input.ts';
import type { Role } from '../../contract/index.ts';
import type { LegReferences } from '../../flows/booking/activities.ts';
import type { ListedShipment } from '../../shared/locker-api/list-shipments.ts';
import { linkFields } from './role-evidence.ts';

export interface SoughtBooking {
  /** Which one of its process it is; absent: the whole of it. */
  readonly booking?: string;
  readonly legs: readonly BookedLeg[];
  /** The roles that may be booked without a receiver: another flow may issue them at once. */
  readonly stock: readonly Role[];
  readonly references: readonly LegReferences[];
  /** Null where the operation takes none. */
  readonly priorShipmentUid: string | null;
  /** The prior is issued to the user: it must show that. */
  readonly takesOver: boolean;
  /** The case number by which the flow's callbacks find it; null where none was given. */
  readonly caseNo: string | null;
  /** The one that the booking gave the prior; null where the prior kept its own. */
  readonly priorCaseNo: string | null;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
  readonly swapsShipmentUid: string | null;
  /** Null where it may have gone to another one, or is the prior's. */
  readonly pupUid: string | null;
}

/** One booking: the shipment of each leg. */
export type FoundBooking = ReadonlyMap<Role, ListedShipment>;

/** Every way in which the records make up the whole booking. */
export function bookingsAmong(records: readonly ListedShipment[], sought: SoughtBooking): FoundBooking[] {
  const active = records.filter(({ stateCode }) => stateCode !== 'Cancelled');
  let bookings: Map<Role, ListedShipment>[] = [new Map()];
  for (const leg of inChainOrder(sought.legs))
    bookings = bookings.flatMap((partial) =>
      active
        .filter((record) => ![...partial.values()].includes(record) && fits(record, leg, partial, sought))
        .map((record) => new Map([...partial, [leg.role, record]])),
    );
  return bookings;
}

/** Whether a match can be told from another booking of the same user at the same place. */
export function isDistinct({ references, priorShipmentUid }: SoughtBooking): boolean {
  return priorShipmentUid !== null || references.some((each) => each.referenceNo ?? each.referenceCaseNo);
}

function inChainOrder(legs: readonly BookedLeg[]): BookedLeg[] {
  const ordered: BookedLeg[] = [];
  for (const _ of legs) {
    const next = legs.find(
      (leg) =>
        !ordered.includes(leg) && (!leg.follows || ordered.some(({ role }) => role === leg.follows?.role)),
    );
    if (next) ordered.push(next);
  }
  return ordered;
}

function fits(record: ListedShipment, leg: BookedLeg, partial: FoundBooking, sought: SoughtBooking): boolean {
  if (leg.isPrior) return isPriorAsBooked(record, sought);
  if (!hasReferences(record, leg, sought)) return false;
  if (!leg.follows) return startsChain(record, sought);
  const predecessor = partial.get(leg.follows.role);
  return predecessor !== undefined && record[linkFields[leg.follows.link]] === predecessor.shipmentUid;
}

function isPriorAsBooked(record: ListedShipment, sought: SoughtBooking): boolean {
  if (record.shipmentUid !== sought.priorShipmentUid) return false;
  if (!sought.takesOver) return true;
  return (
    record.toUserUid === sought.toUserUid &&
    (sought.priorCaseNo === null || record.referenceCaseNo === sought.priorCaseNo)
  );
}

function startsChain(record: ListedShipment, sought: SoughtBooking): boolean {
  const { fromUserUid, toUserUid, pupUid, swapsShipmentUid } = sought;
  return (
    (fromUserUid === null || record.fromUserUid === fromUserUid) &&
    (toUserUid === null || record.toUserUid === toUserUid) &&
    (pupUid === null || record.pupUid === pupUid) &&
    record.swapsShipmentUid === swapsShipmentUid &&
    record.circularPriorShipmentUid === null
  );
}

function hasReferences(record: ListedShipment, { role, follows }: BookedLeg, sought: SoughtBooking): boolean {
  const expected = sought.references.find((each) => each.role === role);
  if (!expected) return true;
  if (!isSame(record.referenceNo, expected.referenceNo)) return false;
  const hasNoReceiver = follows !== null || sought.toUserUid === null;
  return (hasNoReceiver && sought.stock.includes(role)) || hasOwnCaseNo(record, role, sought);
}

/** Whether the shipment of that leg still has the case number with which it was booked. */
export function hasOwnCaseNo(
  { referenceCaseNo }: Pick<ListedShipment, 'referenceCaseNo'>,
  role: Role,
  { references }: Pick<SoughtBooking, 'references'>,
): boolean {
  const expected = references.find((each) => each.role === role);
  return !expected || isSame(referenceCaseNo, expected.referenceCaseNo);
}

const isSame = (one: string | null, other: string | null) => (one || null) === (other || null);
