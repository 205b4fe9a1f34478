// Parked callbacks of shipments that a flow has, or had, and that would stay parked at their next try: there are to be none.
import type { Client } from '@temporalio/client';
import { PARKED_CALLBACK } from '../../contract/flows/flow-types.ts';
import type { Parked } from '../../contract/flows/parked-callback.ts';
import { isSearchable } from '../../shared/routing/owners.ts';
import { ReportRouter } from '../../shared/routing/route-report.ts';

/** Their workflow ids, of those on one task queue. */
export async function parkedForGood(client: Client, taskQueue: string): Promise<string[]> {
  const router = new ReportRouter(client, { byCase: false, lookAgainForMs: 0, questionsPerSecond: 50 });
  const query = `WorkflowType = '${PARKED_CALLBACK}' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`;
  const stuck: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query }))
    if (!(await goesAtItsNextTry(client, router, workflowId))) stuck.push(workflowId);
  return stuck;
}

/** Its tries are up to an hour apart: what the next one will come to is asked instead of waited for. */
async function goesAtItsNextTry(client: Client, router: ReportRouter, workflowId: string): Promise<boolean> {
  const { kept } = await client.workflow.getHandle(workflowId).query<Parked>('parked');
  for (const { callback: one } of kept) {
    if (!('shipmentUid' in one)) return false;
    if (!(await hasHadFlow(client, one.shipmentUid))) continue;
    if ((await router.route(one)).to === 'nobody') return false;
  }
  return true;
}

const hasHadFlow = async (client: Client, shipmentUid: string): Promise<boolean> =>
  isSearchable(shipmentUid) &&
  (await client.workflow.count(`LockerShipmentUids = '${shipmentUid.replaceAll("'", "''")}'`)).count > 0;
