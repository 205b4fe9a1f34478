// Which flows hold a shipment, by the search attribute LockerShipmentUids, and what they are told. The activity's own
// client does it, so that it costs the flow that asks no event.
import { activityInfo, getClient } from '@temporalio/activity';
import type { Progress, SearchAttributeName, ShipmentReport, Superseded } from '../contract/index.ts';
import { OwnerLookup } from '../shared/routing/owner-lookup.ts';
import { type Holder, runningAmong, UIDS_PER_QUERY, workflowIdsOf } from '../shared/routing/owners.ts';
import { Pace } from '../shared/routing/pace.ts';
import { perClient } from './per-client.ts';

const caseNumber: SearchAttributeName = 'LockerCase';

// For all bookings of a worker and its reconciler together: lookups that come meanwhile share one question.
const QUESTIONS_PER_SECOND = 2;

const lookup = perClient((client) => new OwnerLookup(client, new Pace(QUESTIONS_PER_SECOND)));

/** The ids of flows other than this one that hold the shipment. */
export async function otherHolders(shipmentUid: string, which: 'running' | 'any'): Promise<string[]> {
  const own = activityInfo().workflowExecution?.workflowId;
  const holders = await lookup().holdersOf(shipmentUid);
  const wanted = which === 'any' ? workflowIdsOf(holders) : runningAmong(holders);
  return wanted.filter((workflowId) => workflowId !== own);
}

/** The newest run of each flow other than this one that holds the shipment, or has held it. */
export async function holdersBeside(shipmentUid: string): Promise<Holding[]> {
  const own = activityInfo().workflowExecution?.workflowId;
  const holders = new Map<string, Holding>();
  for (const { workflowId, type, isRunning } of await lookup().holdersOf(shipmentUid)) {
    const isKnownToRun = holders.get(workflowId)?.isRunning === true;
    if (workflowId !== own)
      holders.set(workflowId, { workflowId, type, isRunning: isRunning || isKnownToRun });
  }
  return [...holders.values()];
}

export type Holding = Pick<Holder, 'workflowId' | 'type' | 'isRunning'>;

/** The workflow of that id, whatever it is; null where there is none. */
export async function workflowOf(workflowId: string): Promise<Holding | null> {
  try {
    const { type, status } = await getClient().workflow.getHandle(workflowId).describe();
    return { workflowId, type, isRunning: status.name === 'RUNNING' };
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null;
    throw error;
  }
}

/** The case number that a flow's shipments carry; null when it has none. */
export async function caseNoOf(workflowId: string): Promise<string | null> {
  const { searchAttributes } = await getClient().workflow.getHandle(workflowId).describe();
  const [caseNo] = searchAttributes[caseNumber] ?? [];
  return typeof caseNo === 'string' ? caseNo : null;
}

/** The ids of the open flows that hold each shipment; this one too, if it does. */
export async function openHolders(uids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const open = new Map<string, readonly string[]>();
  // One question after the other, so that a booking's goes along with the next, and not behind thousands.
  for (let from = 0; from < uids.length; from += UIDS_PER_QUERY) {
    const asked = uids.slice(from, from + UIDS_PER_QUERY);
    const holders = await Promise.all(asked.map((uid) => lookup().holdersOf(uid)));
    for (const [index, uid] of asked.entries()) open.set(uid, runningAmong(holders[index] ?? []));
  }
  return open;
}

/** Needs a worker, costs the flow no event. */
export function progressOf(workflowId: string): Promise<Progress> {
  return getClient().workflow.getHandle(workflowId).query<Progress>('progress');
}

export async function signalSuperseded(workflowId: string, superseded: Superseded): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[Superseded]>('superseded', superseded);
}

export async function signalShipmentStatus(workflowId: string, report: ShipmentReport): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[ShipmentReport]>('shipmentStatus', report);
}
