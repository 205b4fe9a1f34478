// The activity that delivers a process's events to the outside, one at a time.
import { workflowInfo } from '@temporalio/workflow';
import type { EmittedEvent, FlowFileActivities } from '../activities/flow-files/flow-file-activities.ts';
import type { ActivityCall } from '../driver/actors/activity-call.ts';
import type { Delivery } from '../driver/definition.ts';
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

/** `told` finds in a delivery what is told. */
export function eventCall(told: (delivery: Delivery) => Told): ActivityCall<Delivery> {
  return {
    activity: 'emitEvent' satisfies keyof FlowFileActivities,
    heedsCancellation: false,
    options: () => ({
      ...outsideCall,
      retry: { initialInterval: '1 s', maximumInterval: '5 minutes' },
    }),
    summary: (delivery) => `event ${told(delivery).type}`,
    argument: (delivery): EmittedEvent => {
      const { type, data, to = null, flow } = told(delivery);
      const { number, at } = delivery;
      const { workflowId, firstExecutionRunId } = workflowInfo();
      return {
        ...{ to, type, data, at, number },
        flow: { key: workflowId, ...flow },
        key: [workflowId, firstExecutionRunId, number].join(' '),
      };
    },
  };
}
