// How a process's events reach the outside: the activity that delivers them one at a time, and the workflow that takes them over
// where the outside does not take them soon.
import {
  ActivityCancellationType,
  type ActivityOptions,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { EmittedEvent, FlowFileActivities } from '../activities/flow-files/flow-file-activities.ts';
import type { ActivityCall } from '../engine/actor-kinds.ts';
import type { Delivery, OutboxCall } from '../engine/definition.ts';
import { callActivity } from '../engine/temporal/outbox.ts';
import { type Relayed, relay } from '../engine/temporal/relay.ts';
import type { Json } from '../flows/language/flow-file.ts';

/** How long one attempt of a call to the outside may take, and how soon it is seen that its worker has died. */
export const outsideCall = {
  startToCloseTimeout: '2 minutes',
  // The worker beats three times in it. Much shorter, a busy worker would be taken for a dead one.
  heartbeatTimeout: '20 s',
  // An effect that is under way is not cut off: its outcome would be unknown, or the next run would send it beside it.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;

/** An event for the outside. */
export interface OutsideEvent {
  readonly type: string;
  readonly data: Json;
  /** A connector; the one for events if not given. */
  readonly to?: string;
  /** The process's. */
  readonly flow: { readonly name: string; readonly version: number };
}

const RETRY = { initialInterval: '1 s', maximumInterval: '5 minutes' } as const;

/** Repeated without end. */
const deliverEvent: ActivityCall<EmittedEvent> = {
  activity: 'emitEvent' satisfies keyof FlowFileActivities,
  heedsCancellation: false,
  options: () => ({ ...outsideCall, retry: RETRY }),
  summary: ({ type }) => `event ${type}`,
};

/** After 15 seconds of refusals the other side is taken for away, after 5 minutes also where it asks for longer pauses. */
const PATIENCE: ActivityOptions = {
  retry: { ...RETRY, maximumAttempts: 5 },
  scheduleToCloseTimeout: '5 minutes',
};

/** For emitted events of this type; `eventOf` finds in a delivery what goes out. */
export function eventOutbox(type: string, eventOf: (delivery: Delivery) => OutsideEvent): OutboxCall {
  const argument = (delivery: Delivery): EmittedEvent => {
    const { type, data, to = null, flow } = eventOf(delivery);
    const { number, at } = delivery;
    const { workflowId, firstExecutionRunId } = workflowInfo();
    return {
      to,
      type,
      data,
      at,
      number,
      flow: { key: workflowId, ...flow },
      key: [workflowId, firstExecutionRunId, number].join(' '),
    };
  };
  const { activity, heedsCancellation } = deliverEvent;
  return {
    type,
    call: {
      activity,
      heedsCancellation,
      argument,
      options: (delivery) => deliverEvent.options(argument(delivery)),
      summary: (delivery) => deliverEvent.summary(argument(delivery)),
    },
    relay: { workflow: 'EventDelivery', patience: PATIENCE },
  };
}

/** Delivers events that the outside has not taken soon from the process that emitted them. The process may have ended. */
export function EventDelivery(given: Relayed<EmittedEvent>): Promise<void> {
  return relay(given, async (event, left) => {
    const to = event.to === null ? 'the connector for events' : `the connector \`${event.to}\``;
    setCurrentDetails(`**Events of \`${event.flow.key}\`: ${left} to be delivered**\n- waits for ${to}`);
    await callActivity(deliverEvent, event);
  });
}
