// Which flows hold a shipment, by the search attribute LockerShipmentUids, and what they are told. The activity's own
// client does it, so that it costs the flow that asks no event.
import { activityInfo, getClient } from '@temporalio/activity';
import type { Progress, SearchAttributeName, ShipmentReport, Superseded } from '../contract/index.ts';
import { ownersOf, ownersOfAll } from '../routing/owners.ts';

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

/** The ids of the open flows that hold each shipment; this one too, if it does. */
export function openHolders(uids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  return ownersOfAll(getClient(), uids, 'running');
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
