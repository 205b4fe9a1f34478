// The references that a flow's shipments carry: the caller's own, else the flow's, by which callbacks find the flow and
// tell its legs apart (architecture: Roles without order; architecture: From callback to flow); and the booking with them.

import type { BookedLeg } from '../../contract/flows/flow-input.ts';
import { requestFields } from '../../contract/index.ts';
import type { BookInput, LegReferences } from '../../flows/booking/activities.ts';

export interface WithReferences {
  readonly request: Readonly<Record<string, unknown>>;
  /** For the legs whose references are all known. */
  readonly references: readonly LegReferences[];
  /** The case number by which the flow's callbacks find it; null when there is none. */
  readonly caseNo: string | null;
  /** The case number that the booking gives the prior shipment in place of its own; null: it keeps its own. */
  readonly priorCaseNo: string | null;
  /** Whether callbacks of the prior shipment, and of all others, carry the flow's key as their case number. */
  readonly isPriorKeyed: boolean;
  readonly areOthersKeyed: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type Slot = NonNullable<BookedLeg['references']>;

type ReferencedBooking = Pick<BookInput, 'operation' | 'legs' | 'workflowId' | 'booking'>;

/** @param setsReferences LOCKER_SET_REFERENCES: whether the flow may put its own where the caller gave none */
export function withReferences(
  booking: ReferencedBooking,
  request: Fields,
  setsReferences: boolean,
): WithReferences {
  const { legs } = booking;
  const slots = [...new Set(legs.map(({ references }) => references))].filter((slot) => slot !== null);
  let filled = request;
  if (setsReferences) for (const slot of slots) filled = replaced(filled, slot, own(booking, filled, slot));
  const known = legs.flatMap((leg) => legReferences(booking, filled, leg));
  const caseNo = slots
    .map((slot) => textField(slotFields(filled, slot), 'referenceCaseNo'))
    .find((no) => no !== null);
  const ofPrior = legs.find(({ isPrior }) => isPrior)?.references ?? null;
  const priorCaseNo = ofPrior && textField(slotFields(filled, ofPrior), 'referenceCaseNo');
  const isPriorKeyed = priorCaseNo === booking.workflowId;
  const isKeyed = ({ references: slot }: BookedLeg) =>
    // A shipment that gets no details of its own keeps those of the prior.
    slot === null
      ? isPriorKeyed
      : textField(slotFields(filled, slot), 'referenceCaseNo') === booking.workflowId;
  const areOthersKeyed = legs.filter(({ isPrior }) => !isPrior).every(isKeyed);
  return {
    request: filled,
    references: known,
    caseNo: caseNo ?? null,
    priorCaseNo,
    isPriorKeyed,
    areOthersKeyed,
  };
}

/** The slot's fields, with the flow's own where they are empty. */
function own(booking: ReferencedBooking, request: Fields, slot: Slot): Fields {
  const { operation, legs, workflowId } = booking;
  const takes = takenFields(operation, slot);
  const given = slotFields(request, slot);
  const [leg, ...others] = legs.filter(({ references }) => references === slot);
  if (leg?.isPrior && isNullGiven(request, slot)) return given;
  // A reference number of its own tells a leg from the others where only one leg gets it, and from those of other bookings.
  const isOfOneLeg = leg !== undefined && others.length === 0;
  const tellsApart = booking.booking !== undefined || (isOfOneLeg && legs.length > 1);
  const referenceNo = [workflowId, booking.booking, isOfOneLeg ? leg.role : undefined];
  return {
    ...given,
    ...(takes.includes('referenceCaseNo') &&
      isEmpty(given.referenceCaseNo) && { referenceCaseNo: workflowId }),
    ...(takes.includes('referenceNo') &&
      isEmpty(given.referenceNo) &&
      tellsApart && { referenceNo: referenceNo.filter((part) => part !== undefined).join('/') }),
  };
}

function legReferences(
  { operation }: Pick<BookInput, 'operation'>,
  request: Fields,
  { role, references: slot }: BookedLeg,
): LegReferences[] {
  // Where the operation takes the case number alone, the rest is the prior shipment's and not known here.
  if (slot === null || !takenFields(operation, slot).includes('referenceNo')) return [];
  const fields = slotFields(request, slot);
  return [
    {
      role,
      referenceNo: textField(fields, 'referenceNo'),
      referenceCaseNo: textField(fields, 'referenceCaseNo'),
      description: textField(fields, 'description'),
    },
  ];
}

function takenFields(operation: BookInput['operation'], slot: Slot): readonly string[] {
  return slot === 'request' ? requestFields(operation) : requestFields(operation, slot);
}

function slotFields(request: Fields, slot: Slot): Fields {
  const fields = slot === 'request' ? request : request[slot];
  return typeof fields === 'object' && fields !== null ? { ...fields } : {};
}

/** A prior shipment has a case number already: who gives null wants it to stay. */
const isNullGiven = (request: Fields, slot: Slot): boolean =>
  request[slot] === null || slotFields(request, slot).referenceCaseNo === null;

function replaced(request: Fields, slot: Slot, fields: Fields): Fields {
  return slot === 'request' ? fields : { ...request, [slot]: fields };
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

export function textField(request: Fields, field: string): string | null {
  const value = request[field];
  return typeof value === 'string' && value !== '' ? value : null;
}
