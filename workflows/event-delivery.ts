// EventDelivery: delivers events that the outside has not taken soon from the process that emitted them. The process may
// have ended.
import { setCurrentDetails } from '@temporalio/workflow';
import type { EmittedEvent } from '../activities/flow-files/flow-file-activities.ts';
import { callActivity } from '../driver/invokes.ts';
import { type Relayed, relay } from '../driver/telling/relay.ts';
import { deliverEvent } from './event-call.ts';

export function EventDelivery(given: Relayed<EmittedEvent>): Promise<void> {
  return relay(given, async (event, left) => {
    const to = event.to === null ? 'the connector for events' : `the connector \`${event.to}\``;
    setCurrentDetails(`**Events of \`${event.flow.key}\`: ${left} to be delivered**\n- waits for ${to}`);
    await callActivity(deliverEvent, event);
  });
}
