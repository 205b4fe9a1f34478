// Reserves a shipment for the flow that adopted it after a lost answer: while this runs, no other flow adopts it. It
// ends when that flow ends. It waits with one activity that Temporal repeats, so a check costs no history event.
import {
  CancellationScope,
  condition,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { AdoptionActivities } from '../activities/booking/adoption.ts';
import type { Adoption } from '../contract/flows/adoption.ts';

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
  await ended.catch(() => undefined); // Cancelled: it is released.
}
