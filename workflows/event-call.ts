// The activity that delivers a process's events to the outside, one at a time, and the workflow that takes them over where
// the outside does not take them soon.
import { type ActivityOptions, workflowInfo } from '@temporalio/workflow';
import type { EmittedEvent, FlowFileActivities } from '../activities/flow-files/flow-file-activities.ts';
import type { ActivityCall } from '../driver/actors/activity-call.ts';
import type { Delivery, OutboxCall } from '../driver/definition.ts';
import type { Json } from '../flow-files/flow-file.ts';
import { outsideCall } from './outside-call.ts';

export interface Told {
  readonly type: string;
  readonly data: Json;
  /** A connector; the one for events if not given. */
  readonly to?: string;
  /** The process's. */
  readonly flow: { readonly name: string; readonly version: number };
}

const RETRY = { initialInterval: '1 s', maximumInterval: '5 minutes' } as const;

/** Repeated without end. */
export const deliverEvent: ActivityCall<EmittedEvent> = {
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

/** `told` finds in a delivery what is told. */
export function eventOutbox(type: string, told: (delivery: Delivery) => Told): OutboxCall {
  const argument = (delivery: Delivery): EmittedEvent => {
    const { type, data, to = null, flow } = told(delivery);
    const { number, at } = delivery;
    const { workflowId, firstExecutionRunId } = workflowInfo();
    return {
      ...{ to, type, data, at, number },
      flow: { key: workflowId, ...flow },
      key: [workflowId, firstExecutionRunId, number].join(' '),
    };
  };
  const { activity, heedsCancellation } = deliverEvent;
  return {
    type,
    call: {
      ...{ activity, heedsCancellation, argument },
      options: (delivery) => deliverEvent.options(argument(delivery)),
      summary: (delivery) => deliverEvent.summary(argument(delivery)),
    },
    relay: { workflow: 'EventDelivery', patience: PATIENCE },
  };
}
