// Brings to open flows what their callbacks have not (architecture: Silence): pages what changed since the last run, asks each
// flow that holds such a shipment what it knows, and signals only what it lacks, because a signal costs events.
import { log } from '@temporalio/activity';
import type { BookingProgress, ShipmentReport } from '../contract/index.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { type ListedShipment, type Listing, listShipments } from '../shared/locker-api/list-shipments.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { ActivityHeartbeat } from './activity-heartbeat.ts';
import { apiFailure } from './failures.ts';
import type { Reconciled, ReconcileInput } from './flow-activities.ts';
import { bookingsIfKnown, openOwners, signalShipmentStatus } from './flow-directory.ts';
import { shipmentReader } from './operation-call.ts';
import type { KnownChanges } from './received-changes.ts';

// What is committed late or stamped by a clock behind ours is seen by the next run.
const OVERLAP_MS = 300_000;
// The first run looks back so far; a flow that was silent for longer is its callbacks' matter.
const FIRST_LOOK_BACK_MS = 3_600_000;
// A flow that can't answer must not make every run longer than the one before.
const LONGEST_LOOK_BACK_MS = 86_400_000;

// A flow that is in no worker's cache is replayed for its answer: 20,000 of them one after the other, as after a day that the
// workers were away, would take longer than the ten minutes of a run.
const FLOWS_AT_A_TIME = 8;

export async function reconcile(
  dependencies: ActivityDependencies,
  known: KnownChanges,
  { since }: ReconcileInput,
): Promise<Reconciled> {
  using _heartbeat = new ActivityHeartbeat();
  const startedAt = Date.now();
  const from = since === null ? startedAt - FIRST_LOOK_BACK_MS : Date.parse(since);
  known.startRun(since === null ? null : from);
  const { shipments: changed, isComplete } = await changedSince(dependencies, from - OVERLAP_MS);
  const flows = await flowsToQuery(changed, known);
  let signalled = 0;
  let allAnswered = true;
  const seenKnown: (readonly [string, ListedShipment])[] = [];
  for (let next = 0; next < flows.length; next += FLOWS_AT_A_TIME) {
    const some = flows.slice(next, next + FLOWS_AT_A_TIME);
    const answers = await Promise.all(
      some.map(
        async ([workflowId, shipments]) => [workflowId, await signalChanges(workflowId, shipments)] as const,
      ),
    );
    for (const [workflowId, answer] of answers) {
      signalled += answer?.signalled ?? 0;
      allAnswered &&= answer !== null;
      for (const shipment of answer?.knew ?? []) seenKnown.push([workflowId, shipment]);
    }
  }
  // The listing begins with the earliest change. So every shipment that was not read has changed later than those that were.
  const readUntil = isComplete ? startedAt : Math.min(startedAt, Math.max(from, ...changed.map(begun)));
  const until = Math.max(allAnswered ? readUntil : from, startedAt - LONGEST_LOOK_BACK_MS);
  known.endRun(until === startedAt ? seenKnown : [], until);
  return { until: new Date(until).toISOString(), seen: changed.length, signalled };
}

/** Epoch milliseconds; a moment that tells nothing is before all others. */
function begun({ stateStart }: ListedShipment): number {
  return Date.parse(stateStart ?? '') || 0;
}

async function changedSince(dependencies: ActivityDependencies, since: number): Promise<Listing> {
  try {
    const updatedSince = new Date(since).toISOString();
    const listing = await listShipments(shipmentReader(dependencies), {
      updatedSince,
      sortBy: 'ActivityAsc',
    });
    if (!listing.isComplete)
      log.warn('more shipments have changed than one run reads', { since: updatedSince });
    return listing;
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, dependencies.serviceProfile) : error;
  }
}

/** The open flows that hold a changed shipment, less those that knew the change at an earlier look. */
async function flowsToQuery(
  shipments: readonly ListedShipment[],
  known: KnownChanges,
): Promise<(readonly [workflowId: string, shipments: ListedShipment[]])[]> {
  const owners = await openOwners(shipments.map(({ shipmentUid }) => shipmentUid));
  const byFlow = new Map<string, ListedShipment[]>();
  for (const shipment of shipments)
    for (const workflowId of owners.get(shipment.shipmentUid) ?? [])
      if (!known.has(workflowId, shipment))
        byFlow.set(workflowId, [...(byFlow.get(workflowId) ?? []), shipment]);
  return [...byFlow];
}

/** How many signals it took, and what the flow knew; null when the flow could not be asked or told. */
async function signalChanges(
  workflowId: string,
  shipments: readonly ListedShipment[],
): Promise<{ readonly signalled: number; readonly knew: readonly ListedShipment[] } | null> {
  try {
    const bookings = await bookingsIfKnown(workflowId);
    const missing = shipments.filter((shipment) => isMissingIn(bookings ?? [], shipment));
    for (const shipment of missing) await signalShipmentStatus(workflowId, reportOf(shipment));
    // What was just sent is asked for again: a signal is no answer. One that never says what it knows is told once.
    return {
      signalled: missing.length,
      knew: bookings ? shipments.filter((shipment) => !missing.includes(shipment)) : shipments,
    };
  } catch (error) {
    log.warn('a flow could not be asked or told what changed', { workflowId, error });
    return null;
  }
}

/** The listing has only the last pick-up that left the state as it was: that is enough to meet a deadline. */
function isMissingIn(
  bookings: readonly BookingProgress[],
  { shipmentUid, stateCode, lastPickUpAt }: ListedShipment,
): boolean {
  if (stateCode === null) return false;
  const isOfPickUp = (each: { shipmentUid: string; pickedUpAt?: string }) =>
    each.shipmentUid === shipmentUid && each.pickedUpAt === lastPickUpAt;
  const reports = bookings.flatMap(({ reportHistory }) => reportHistory);
  if (lastPickUpAt !== null && !reports.some(isOfPickUp)) return true;
  const isThis = (each: { shipmentUid: string; stateCode: string | null }) =>
    each.shipmentUid === shipmentUid && each.stateCode === stateCode;
  const known = bookings.flatMap(({ shipments, unassigned }) => [...Object.values(shipments), ...unassigned]);
  return ![...known, ...reports].some(isThis);
}

function reportOf(shipment: ListedShipment): ShipmentReport {
  const { shipmentUid, stateCode, stateStart, shipmentType, pupUid, fromUserUid, toUserUid } = shipment;
  const { referenceNo, referenceCaseNo, description, lastPickUpAt } = shipment;
  return {
    shipmentUid,
    stateCode: stateCode ?? '',
    stateStart,
    shipmentType,
    referenceNo,
    referenceCaseNo,
    description,
    pupUid,
    fromUserUid,
    toUserUid,
    receivedAt: new Date().toISOString(),
    source: 'reconciler',
    ...(lastPickUpAt !== null && { pickedUpAt: lastPickUpAt }),
  };
}
