// Finds the flows that hold a shipment, by the search attribute LockerShipmentUids, and queries and signals them. It uses the
// activity's client, so that the calling flow gets no history events.
import { activityInfo, getClient } from '@temporalio/activity';
import {
  type AlsoFollowed,
  type BookingProgress,
  type ProcessProgress,
  type SearchAttributeName,
  SHIPMENT_STATUS,
  type ShipmentReport,
  type Superseded,
} from '../contract/index.ts';
import { ownerLookup } from '../shared/routing/owner-lookup.ts';
import { type Owner, runningAmong, UIDS_PER_QUERY, workflowIdsOf } from '../shared/routing/owners.ts';
import { Pace } from '../shared/routing/pace.ts';
import { isOurs } from '../shared/routing/running-processes.ts';
import { perClient } from './per-client.ts';

const caseNumber: SearchAttributeName = 'LockerCase';

// Shared by all bookings of a worker and its reconciler. Concurrent lookups are combined into one query.
const QUERIES_PER_SECOND = 2;

const lookup = perClient((client) => ownerLookup(client, new Pace(QUERIES_PER_SECOND)));

export async function otherOwners(shipmentUid: string, which: 'running' | 'any'): Promise<string[]> {
  const own = activityInfo().workflowExecution?.workflowId;
  const owners = await lookup()(shipmentUid);
  const wanted = which === 'any' ? workflowIdsOf(owners) : runningAmong(owners);
  return wanted.filter((workflowId) => workflowId !== own);
}

/** The newest run of each flow other than this one that holds the shipment, or has held it. */
export async function otherOwningFlows(shipmentUid: string): Promise<OwningFlow[]> {
  const own = activityInfo().workflowExecution?.workflowId;
  const owners = new Map<string, OwningFlow>();
  for (const { workflowId, type, isRunning } of await lookup()(shipmentUid)) {
    const isKnownToRun = owners.get(workflowId)?.isRunning === true;
    if (workflowId !== own)
      owners.set(workflowId, { workflowId, type, isRunning: isRunning || isKnownToRun });
  }
  return [...owners.values()];
}

export type OwningFlow = Pick<Owner, 'workflowId' | 'type' | 'isRunning'>;

/** The process of ours with that id, a built-in flow or one of a file; null if there is none. */
export async function processOf(workflowId: string): Promise<OwningFlow | null> {
  try {
    const execution = await getClient().workflow.getHandle(workflowId).describe();
    const { type, status } = execution;
    return isOurs(execution) ? { workflowId, type, isRunning: status.name === 'RUNNING' } : null;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null;
    throw error;
  }
}

/** The case number of a flow's shipments; null if it has none. */
export async function caseNoOf(workflowId: string): Promise<string | null> {
  const { searchAttributes } = await getClient().workflow.getHandle(workflowId).describe();
  const [caseNo] = searchAttributes[caseNumber] ?? [];
  return typeof caseNo === 'string' ? caseNo : null;
}

/** The ids of the open flows that hold each shipment, including the calling one. */
export async function openOwners(uids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const open = new Map<string, readonly string[]>();
  // One query at a time, so that a booking's lookup joins the next one and does not queue behind thousands.
  for (let from = 0; from < uids.length; from += UIDS_PER_QUERY) {
    const batch = uids.slice(from, from + UIDS_PER_QUERY);
    const owners = await Promise.all(batch.map((uid) => lookup()(uid)));
    for (const [index, uid] of batch.entries()) open.set(uid, runningAmong(owners[index] ?? []));
  }
  return open;
}

/** What it says of its bookings. A query: needs a worker, and adds no history event. */
export async function bookingsOf(workflowId: string): Promise<readonly BookingProgress[]> {
  const { bookings } = await getClient().workflow.getHandle(workflowId).query<ProcessProgress>('progress');
  return bookings;
}

/** The same; null for a workflow that has no `progress` query, which is not one of ours. */
export async function bookingsIfKnown(workflowId: string): Promise<readonly BookingProgress[] | null> {
  try {
    return await bookingsOf(workflowId);
  } catch (error) {
    if (error instanceof Error && error.name === 'QueryNotRegisteredError') return null;
    throw error;
  }
}

/** Another flow follows a shipment, in place of that one or too. */
export async function signalFollowed(
  workflowId: string,
  signal: 'superseded' | 'alsoFollowed',
  followed: Superseded | AlsoFollowed,
): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[typeof followed]>(signal, followed);
}

export async function signalShipmentStatus(workflowId: string, report: ShipmentReport): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[ShipmentReport]>(SHIPMENT_STATUS, report);
}
