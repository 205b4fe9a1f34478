// Which shipment has which role, from evidence alone and never from the order of shipmentUids (architecture: Roles without
// order). Every assignment of roles that contradicts no evidence is kept; a role is known when all that are left agree.

import type { BookedLeg } from '../../contract/flows/flow-input.ts';
import type { Role } from '../../contract/index.ts';
import type { LegReferences } from '../../flows/booking/activities.ts';
import type { ListedShipment } from '../../shared/locker-api/list-shipments.ts';

export interface RoleEvidence {
  readonly priorShipmentUid: string | null;
  /** What a listing shows of the shipments, state codes in our words. */
  readonly records: readonly ListedShipment[];
  readonly codes: readonly CodeEvidence[];
  readonly references: readonly LegReferences[];
}

/** What looking at a shipment's access codes told; the codes themselves stay where they were read. */
export interface CodeEvidence {
  readonly shipmentUid: string;
  readonly hasDeliveryCode: boolean;
  /** Shipments whose PickUpCode is this one's DeliveryCode. */
  readonly sharesCodeOf: readonly string[];
}

type Assignment = ReadonlyMap<string, BookedLeg>;

/** The role of each uid, null where nothing tells it. */
export function rolesByEvidence(
  legs: readonly BookedLeg[],
  shipmentUids: readonly string[],
  evidence: RoleEvidence,
): ReadonlyMap<string, Role | null> {
  const possible = assignments(legs, shipmentUids).filter((each) => keepsPrior(each, evidence));
  const consistent = possible.filter((each) => contradictsNothing(each, evidence));
  // Evidence that rules out everything is wrong somewhere: then only the prior's uid, which we gave, is believed.
  const left = consistent.length > 0 ? consistent : possible;
  return new Map(shipmentUids.map((uid) => [uid, agreedRole(left, uid)]));
}

function agreedRole(left: readonly Assignment[], uid: string): Role | null {
  const roles = new Set(left.map((each) => each.get(uid)?.role ?? null));
  const [only] = roles;
  return roles.size === 1 && only !== undefined ? only : null;
}

/** Every way to give as many legs as possible a shipment of their own. Flows have three legs at most. */
function assignments(legs: readonly BookedLeg[], uids: readonly string[]): Assignment[] {
  const whole = Math.min(legs.length, uids.length);
  let partial: ReadonlyMap<string, BookedLeg>[] = [new Map()];
  for (const uid of uids)
    partial = partial.flatMap((each) => [
      each,
      ...legs.filter((leg) => ![...each.values()].includes(leg)).map((leg) => new Map([...each, [uid, leg]])),
    ]);
  return partial.filter(({ size }) => size === whole);
}

function keepsPrior(assignment: Assignment, { priorShipmentUid }: RoleEvidence): boolean {
  return [...assignment].every(([uid, leg]) => leg.isPrior === (uid === priorShipmentUid));
}

function contradictsNothing(assignment: Assignment, evidence: RoleEvidence): boolean {
  return [...assignment].every(([uid, leg]) => {
    // What the prior shipment was booked as is another flow's story: its links and codes tell nothing of this one.
    if (leg.isPrior) return true;
    const predecessor = predecessorOf(assignment, leg);
    const record = evidence.records.find(({ shipmentUid }) => shipmentUid === uid);
    const codes = evidence.codes.find(({ shipmentUid }) => shipmentUid === uid);
    return (
      (!record || (linksFit(record, leg, predecessor, assignment) && stateFits(record, leg))) &&
      (!record || referencesFit(record, leg, assignment, evidence)) &&
      (!codes || codesFit(codes, leg, predecessor, assignment))
    );
  });
}

function predecessorOf(assignment: Assignment, { follows }: BookedLeg): string | null {
  if (!follows) return null;
  return [...assignment].find(([, { role }]) => role === follows.role)?.[0] ?? null;
}

/** The field of a listed shipment that names what it follows. */
export const linkFields = {
  swap: 'swapsShipmentUid',
  subsequentIntake: 'priorShipmentUid',
  circularStock: 'circularPriorShipmentUid',
} as const;

/** A link among the flow's own shipments leads to the predecessor, and the leg's own link leads nowhere else. */
function linksFit(
  record: ListedShipment,
  leg: BookedLeg,
  predecessor: string | null,
  assignment: Assignment,
): boolean {
  const own = leg.follows && record[linkFields[leg.follows.link]];
  if (own && predecessor !== null && own !== predecessor) return false;
  const inner = Object.values(linkFields)
    .map((field) => record[field])
    .filter((uid) => uid !== null && assignment.has(uid));
  return inner.every((uid) => uid === predecessor);
}

/** Only what follows another shipment waits for its beginning (assumptions: States, Registered). */
function stateFits(record: ListedShipment, leg: BookedLeg): boolean {
  return record.stateCode !== 'Registered' || leg.follows !== null;
}

function referencesFit(
  record: ListedShipment,
  { role }: BookedLeg,
  assignment: Assignment,
  { references }: RoleEvidence,
): boolean {
  const ofRole = (each: Role) => references.find((one) => one.role === each);
  const expected = ofRole(role);
  if (!expected) return true;
  const fields = ['referenceNo', 'referenceCaseNo', 'description'] as const;
  return fields.every((field) => {
    // What all of them have tells none from another; and stock that was issued since has another case number.
    const isShared = [...assignment.values()].every((leg) => ofRole(leg.role)?.[field] === expected[field]);
    // A field that is empty on either side tells nothing: a service may leave out what it does not show.
    return isShared || !expected[field] || !record[field] || expected[field] === record[field];
  });
}

/** assumptions: Lockers and codes: circular stock has no DeliveryCode; a swap's is its predecessor's PickUpCode. */
function codesFit(
  codes: CodeEvidence,
  leg: BookedLeg,
  predecessor: string | null,
  assignment: Assignment,
): boolean {
  const link = leg.follows?.link;
  const someCircular = [...assignment.values()].some(({ follows }) => follows?.link === 'circularStock');
  if (someCircular && codes.hasDeliveryCode === (link === 'circularStock')) return false;
  const shared = codes.sharesCodeOf.filter((uid) => assignment.has(uid));
  // Codes that differ prove nothing: one may have been made anew between the two readings.
  return shared.every((uid) => link === 'swap' && uid === predecessor);
}
