// What Temporal Schedules run. ReconcileShipments lists changed shipments and sends missing reports to the flows, so flows need
// no timer for lost callbacks. CompareStores compares flows with the locker service (`lockerflow compare --every`).
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { CompareInput, FlowActivities, Reconciled } from '../activities/flow-activities.ts';

const { reconcile } = proxyActivities<Pick<FlowActivities, 'reconcile'>>({
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '5 s', maximumInterval: '1 minute' },
});

const { compareStores } = proxyActivities<Pick<FlowActivities, 'compareStores'>>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '5 s', maximumInterval: '1 minute' },
});

/** Starts where the last successful run ended; the first run lists all open shipments. */
export async function ReconcileShipments(): Promise<Reconciled> {
  const last = workflowInfo().lastResult as Reconciled | undefined;
  return await reconcile({ since: last?.until ?? null });
}

export async function CompareStores(input: CompareInput): ReturnType<FlowActivities['compareStores']> {
  return await compareStores(input);
}
