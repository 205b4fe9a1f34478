// Delivers one message to a person, or one request for a mechanic. A process begins it and does not wait for it; what became of it is
// read from its end (processes/views/deliveries.ts).
import { proxyActivities } from '@temporalio/workflow';
import type { Outreach, OutreachActivities, OutreachResult } from '../contract/flows/outreach.ts';
import { externalCallOptions } from './event-delivery.ts';

const { deliverOutreach } = proxyActivities<OutreachActivities>({
  ...externalCallOptions,
  // What is said of a door or a wall is of no use a day later, and may be wrong by then.
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1 s', maximumInterval: '5 minutes' },
});

export function OutreachDelivery(outreach: Outreach): Promise<OutreachResult> {
  return deliverOutreach(outreach);
}
