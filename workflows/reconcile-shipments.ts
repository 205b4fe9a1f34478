// What a Temporal Schedule runs. It lists changed shipments and sends missing reports to the flows, so flows need no timer for
// lost callbacks.
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FlowActivities, Reconciled } from '../activities/flow-activities.ts';

const { reconcile } = proxyActivities<Pick<FlowActivities, 'reconcile'>>({
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '5 s', maximumInterval: '1 minute' },
});

/** Starts where the last successful run ended; the first run lists all open shipments. */
export async function ReconcileShipments(): Promise<Reconciled> {
  const last = workflowInfo().lastResult as Reconciled | undefined;
  return await reconcile({ since: last?.until ?? null });
}
