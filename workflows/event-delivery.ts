// Delivers a process's events to external systems: one at a time by an activity. When the receiver is down, the EventDelivery
// workflow takes over, so that the process does not wait. A booking that is the whole process sends what its start asks for.

import {
  ActivityCancellationType,
  type ActivityOptions,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { EmittedEvent, FlowFileActivities } from '../activities/flow-file-activities.ts';
import type { ActivityCall } from '../engine/actor-kinds.ts';
import type { Delivery, OutboxCall } from '../engine/definition/outgoing-rules.ts';
import { callActivity } from '../engine/temporal/call-activity.ts';
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
interface EventOutside extends EventObject {
  readonly emitted: {
    readonly type: string;
    readonly data: Json;
    /** The name of a connector; absent: the connector for events. */
    readonly to?: string;
  };
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

/** Sends what the processes of a flow emit (`emit`). */
export function eventOutbox(name: string): OutboxCall {
  const argument = (delivery: Delivery): EmittedEvent => {
    const { event, number, at, version } = delivery;
    const { type, data, to = null } = (event as EventOutside).emitted;
    const { workflowId, firstExecutionRunId } = workflowInfo();
    return {
      to,
      type,
      data,
      at,
      number,
      flow: { key: workflowId, name, version },
      key: [workflowId, firstExecutionRunId, number].join(' '),
    };
  };
  const { activity, isCancellable } = deliverEvent;
  return {
    type: 'emit',
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
