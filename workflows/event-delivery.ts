// Delivers a process's events to external systems: one at a time by an activity. When the receiver is down, the EventDelivery
// workflow takes over, so that the process does not wait. A booking that is the whole process sends what its start asks for.

import {
  ActivityCancellationType,
  type ActivityOptions,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { EmittedEvent, FlowFileActivities } from '../activities/flow-file-activities.ts';
import type { Tell } from '../contract/flows/flow-input.ts';
import type { ActivityCall } from '../engine/actor-kinds.ts';
import type { Ending } from '../engine/definition/definition.ts';
import type { Delivery, OutboxCall } from '../engine/definition/outgoing-rules.ts';
import { callActivity } from '../engine/temporal/outbox.ts';
import { type Relayed, relay } from '../engine/temporal/relay.ts';
import type { Json } from '../flows/language/flow-file.ts';
import { code, shownAsText } from '../shared/markdown/shown-as-text.ts';

/** Options of an activity that calls an external system. */
export const externalCallOptions = {
  startToCloseTimeout: '2 minutes',
  // The worker sends three heartbeats in this time. With a much shorter one a busy worker would count as dead.
  heartbeatTimeout: '20 s',
  // A call in progress is not aborted: its outcome would be unknown, or the next run would send it concurrently.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;

/** An event for an external system. */
interface OutgoingEvent {
  readonly type: string;
  readonly data: Json;
  /** The name of a connector; absent: the connector for events. */
  readonly to?: string;
  /** The flow of the process. */
  readonly flow: { readonly name: string; readonly version: number };
}

const RETRY = { initialInterval: '1 s', maximumInterval: '5 minutes' } as const;

/** Retried indefinitely. */
const deliverEvent: ActivityCall<EmittedEvent> = {
  activity: 'emitEvent' satisfies keyof FlowFileActivities,
  isCancellable: false,
  options: () => ({ ...externalCallOptions, retry: RETRY }),
  summary: ({ type }) => `event ${shownAsText(type)}`,
};

/** The receiver counts as down after 15 seconds of refusals, or 5 minutes if it asks for longer pauses. */
const ATTEMPTS_BEFORE_RELAY: ActivityOptions = {
  retry: { ...RETRY, maximumAttempts: 5 },
  scheduleToCloseTimeout: '5 minutes',
};

/** Sends emitted events of this type; `eventOf` makes the external event of a delivery. */
export function eventOutbox(type: string, eventOf: (delivery: Delivery) => OutgoingEvent): OutboxCall {
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
  const { activity, isCancellable } = deliverEvent;
  return {
    type,
    call: {
      activity,
      isCancellable,
      argument,
      options: (delivery) => deliverEvent.options(argument(delivery)),
      summary: (delivery) => deliverEvent.summary(argument(delivery)),
    },
    relay: { workflow: 'EventDelivery', patience: ATTEMPTS_BEFORE_RELAY },
  };
}

/** Takes over events that a process could not deliver soon. The process may have ended by then. */
export function EventDelivery(given: Relayed<EmittedEvent>): Promise<void> {
  return relay(given, async (event, left) => {
    const to = event.to === null ? 'the connector for events' : `the connector ${code(event.to)}`;
    setCurrentDetails(`**Events of ${code(event.flow.key)}: ${left} to be delivered**\n- waits for ${to}`);
    await callActivity(deliverEvent, event);
  });
}

const NOTIFICATION = 'notification';

export interface Notification extends EventObject {
  readonly notification: OutgoingEvent;
}

export const notificationOutbox: OutboxCall = eventOutbox(
  NOTIFICATION,
  ({ event }) => (event as Notification).notification,
);

export const notification = (
  { to }: Tell,
  flow: OutgoingEvent['flow'],
  type: string,
  data: unknown,
): Notification => ({
  type: NOTIFICATION,
  notification: { type: `flow.${type}`, data: data as Json, ...(to != null && { to }), flow },
});

/** The data of the notification that the flow has ended; null: it has not with this step, or nobody asked for it. */
export function endIn(
  { events }: Tell,
  before: AnyMachineSnapshot | null,
  { status, output }: AnyMachineSnapshot,
): Json | null {
  if (status === 'active' || before?.status !== 'active' || !events.includes('ended')) return null;
  const ending = output as Ending;
  if (ending.kind === 'result') return { result: ending.result as Json };
  return ending.kind === 'failed' ? { code: ending.code } : { cancelled: true };
}
