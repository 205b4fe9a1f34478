// Which flows hold a shipment, by the search attribute LockerShipmentUids, and what they are told. The activity's own
// client does it, so that it costs the flow that asks no event.
import { activityInfo, getClient } from '@temporalio/activity';
import type { SearchAttributeName, ShipmentReport, Superseded } from '../contract/index.ts';

export interface HoldingFlow {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly isRunning: boolean;
  readonly caseNo: string | null;
}

const shipmentUids: SearchAttributeName = 'LockerShipmentUids';
const caseNumber: SearchAttributeName = 'LockerCase';

// Two owners of one uid occur (an intake in its flow and as another's prior); many more are nobody's flows.
const MOST_HOLDERS = 50;
const LONGEST_UID = 200;

/** Flows other than this one that hold the shipment, those that have ended included. */
export async function otherHolders(shipmentUid: string): Promise<HoldingFlow[]> {
  const query = holdersQuery(shipmentUid);
  if (query === null) return [];
  const own = activityInfo().workflowExecution?.workflowId;
  const holders: HoldingFlow[] = [];
  for await (const each of getClient().workflow.list({ query })) {
    if (each.workflowId === own) continue;
    const [caseNo] = each.searchAttributes[caseNumber] ?? [];
    holders.push({
      workflowId: each.workflowId,
      runId: each.runId,
      type: each.type,
      isRunning: each.status.name === 'RUNNING',
      caseNo: typeof caseNo === 'string' ? caseNo : null,
    });
    if (holders.length >= MOST_HOLDERS) break;
  }
  return holders;
}

/** Null for what no query can hold: a quote or backslash that a store reads in its own way. */
export function holdersQuery(shipmentUid: string): string | null {
  if (/["\\]/.test(shipmentUid) || shipmentUid.length > LONGEST_UID) return null;
  return `${shipmentUids} = '${shipmentUid.replaceAll("'", "''")}'`;
}

export async function tellSuperseded(workflowId: string, superseded: Superseded): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[Superseded]>('superseded', superseded);
}

export async function tellShipmentStatus(workflowId: string, report: ShipmentReport): Promise<void> {
  await getClient().workflow.getHandle(workflowId).signal<[ShipmentReport]>('shipmentStatus', report);
}
