// Run by a Temporal Schedule: what callbacks may have failed to tell is looked up and told to the flows that lack it.
// Flows themselves hold no timer for it.
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FlowActivities, Reconciled } from '../activities/flow-activities.ts';

const { reconcile } = proxyActivities<Pick<FlowActivities, 'reconcile'>>({
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '5 s', maximumInterval: '1 minute' },
});

/** From where the schedule's last run that succeeded has ended; its first run asks for all that is open. */
export async function ReconcileShipments(): Promise<Reconciled> {
  const last = workflowInfo().lastResult as Reconciled | undefined;
  return await reconcile({ since: last?.until ?? null });
}
