// Brings to open flows what their callbacks have not (architecture: Silence): pages what changed since the last run, asks each
// flow that holds such a shipment what it knows, and signals only what it lacks, because a signal costs events.
import { log } from '@temporalio/activity';
import { LRUCache } from 'lru-cache';
import type { Progress, ShipmentReport } from '../contract/index.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { type ListedShipment, type Listing, listShipments } from '../shared/locker-api/list-shipments.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { ActivityHeartbeat } from './activity-heartbeat.ts';
import { apiFailure } from './failures.ts';
import type { Reconciled, ReconcileInput } from './flow-activities.ts';
import { openHolders, progressOf, signalShipmentStatus } from './flow-directory.ts';
import { shipmentReader } from './operation-call.ts';

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
    throw error instanceof LockerApiError ? apiFailure(error, dependencies.peer) : error;
  }
}

/** The open flows that hold a changed shipment, less those that knew the change at an earlier look. */
async function flowsToQuery(
  shipments: readonly ListedShipment[],
  known: KnownChanges,
): Promise<(readonly [workflowId: string, shipments: ListedShipment[]])[]> {
  const holders = await openHolders(shipments.map(({ shipmentUid }) => shipmentUid));
  const byFlow = new Map<string, ListedShipment[]>();
  for (const shipment of shipments)
    for (const workflowId of holders.get(shipment.shipmentUid) ?? [])
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
    const progress = await progressOf(workflowId);
    const missing = shipments.filter((shipment) => isMissingIn(progress, shipment));
    for (const shipment of missing) await signalShipmentStatus(workflowId, reportOf(shipment));
    // What was just sent is asked for again: a signal is no answer.
    return {
      signalled: missing.length,
      knew: shipments.filter((shipment) => !missing.includes(shipment)),
    };
  } catch (error) {
    log.warn('a flow could not be asked or told what changed', { workflowId, error });
    return null;
  }
}

/** The listing has only the last pick-up that left the state as it was: that is enough to meet a deadline. */
function isMissingIn(progress: Progress, { shipmentUid, stateCode, lastPickUpAt }: ListedShipment): boolean {
  if (stateCode === null) return false;
  const isOfPickUp = (each: { shipmentUid: string; pickedUpAt?: string }) =>
    each.shipmentUid === shipmentUid && each.pickedUpAt === lastPickUpAt;
  if (lastPickUpAt !== null && !progress.reportHistory.some(isOfPickUp)) return true;
  const isThis = (each: { shipmentUid: string; stateCode: string | null }) =>
    each.shipmentUid === shipmentUid && each.stateCode === stateCode;
  return ![...Object.values(progress.shipments), ...progress.unassigned, ...progress.reportHistory].some(
    isThis,
  );
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

// Caches which changes flows are known to have received, so that the reconciler, whose runs overlap, queries a flow once for
// each change: a query is a billed action of Temporal, and often a replay. It must not remember what a flow has lost, as
// after a restore of Temporal's database: the cache is cleared when a run starts earlier than the last one ended.

// Each entry takes about 200 bytes.
const MAX_ENTRIES = 50_000;

export interface Change {
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly lastPickUpAt: string | null;
}

export class KnownChanges {
  #known = new LRUCache<string, string>({ max: MAX_ENTRIES });
  #endedAt = 0;

  /** Begins a run. @param since epoch milliseconds; null: the first run */
  startRun(since: number | null): void {
    if (since === null || since < this.#endedAt) this.#known = new LRUCache({ max: MAX_ENTRIES });
    this.#endedAt = since ?? 0;
  }

  /** Whether the flow knew this change in an earlier run. */
  has(workflowId: string, change: Change): boolean {
    return this.#known.get(keyOf(workflowId, change)) === stateOf(change);
  }

  /** Ends a run at this time. Its changes count only if the next run starts there. */
  endRun(all: Iterable<readonly [workflowId: string, change: Change]>, endedAt: number): void {
    this.#endedAt = endedAt;
    for (const [workflowId, change] of all) this.#known.set(keyOf(workflowId, change), stateOf(change));
  }
}

const keyOf = (workflowId: string, { shipmentUid }: Change) => `${workflowId} ${shipmentUid}`;
const stateOf = ({ stateCode, stateStart, lastPickUpAt }: Change) =>
  `${stateCode} ${stateStart} ${lastPickUpAt}`;
