// The workflow that reserves a shipment for the flow that adopted it after a lost answer: while it runs, no other flow can
// adopt the shipment. It ends with that flow, and polls by retries of one activity, which add no history events.
import {
  CancellationScope,
  condition,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { AdoptionActivities } from '../activities/booking/adoption.ts';
import type { Adoption } from '../contract/flows/adopted-shipment.ts';

const release = defineSignal('release');

const { untilFlowEnds } = proxyActivities<AdoptionActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 minute', backoffCoefficient: 2, maximumInterval: '1 hour' },
  summary: 'look whether the flow that adopted it has ended',
});

export async function AdoptedShipment({ by }: Adoption): Promise<void> {
  let isReleased = false;
  setHandler(release, () => {
    isReleased = true;
  });
  const waiting = new CancellationScope();
  const ended = waiting.run(() => untilFlowEnds({ by }));
  await Promise.race([ended, condition(() => isReleased)]);
  waiting.cancel();
  await ended.catch(() => undefined); // Cancelled after the release.
}
