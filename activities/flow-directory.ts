// Which flows hold a shipment, by the search attribute LockerShipmentUids, and what they are told. The activity's own
// client does it, so that it costs the flow that asks no event.
import { activityInfo, getClient } from '@temporalio/activity';
import type { Progress, SearchAttributeName, ShipmentReport, Superseded } from '../contract/index.ts';
import { isSearchable, ownersOf } from '../routing/owners.ts';

const shipmentUids: SearchAttributeName = 'LockerShipmentUids';
const caseNumber: SearchAttributeName = 'LockerCase';

/** The ids of flows other than this one that hold the shipment. */
export async function otherHolders(shipmentUid: string, which: 'running' | 'any'): Promise<string[]> {
  const own = activityInfo().workflowExecution?.workflowId;
  const holders = await ownersOf(getClient(), shipmentUid, which);
  return holders.filter((workflowId) => workflowId !== own);
}

/** The case number that a flow's shipments carry; null when it has none. */
export async function caseNoOf(workflowId: string): Promise<string | null> {
  const { searchAttributes } = await getClient().workflow.getHandle(workflowId).describe();
  const [caseNo] = searchAttributes[caseNumber] ?? [];
  return typeof caseNo === 'string' ? caseNo : null;
}

// A query of this many uids is some 3 kB, far below what a server takes.
const UIDS_PER_QUERY = 50;

/** The ids of the open flows that hold each shipment; this one too, if it does. */
export async function openHolders(uids: readonly string[]): Promise<Map<string, Set<string>>> {
  const holders = new Map<string, Set<string>>();
  const askable = uids.filter(isSearchable).map((uid) => `'${uid.replaceAll("'", "''")}'`);
  for (let from = 0; from < askable.length; from += UIDS_PER_QUERY) {
    const some = askable.slice(from, from + UIDS_PER_QUERY).join(', ');
    const query = `${shipmentUids} IN (${some}) AND ExecutionStatus = 'Running'`;
    for await (const { workflowId, searchAttributes } of getClient().workflow.list({ query }))
      for (const uid of searchAttributes[shipmentUids] ?? [])
        holders.set(String(uid), (holders.get(String(uid)) ?? new Set()).add(workflowId));
  }
  return holders;
}

/** Needs a worker, costs the flow no event. */
export function progressOf(workflowId: string): Promise<Progress> {
  return getClient().workflow.getHandle(workflowId).query<Progress>('progress');
}

export async function tellSuperseded(workflowId: string, superseded: Superseded): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[Superseded]>('superseded', superseded);
}

export async function tellShipmentStatus(workflowId: string, report: ShipmentReport): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[ShipmentReport]>('shipmentStatus', report);
}
