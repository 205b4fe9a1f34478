// What the states of a flow file invoke, as Temporal runs it: flows as child workflows, operations of the locker API and
// calls as activities.
import { workflowInfo } from '@temporalio/workflow';
import type { AnyActorLogic } from 'xstate';
import type {
  ConnectorCall,
  FlowFileActivities,
  LockerApiCall,
} from '../../activities/flow-files/flow-file-activities.ts';
import type { FlowClock } from '../../contract/flows/flow-input.ts';
import { type ActivityCall, activityLogic, childWorkflow } from '../../driver/actor-kinds.ts';
import type { Json, JsonObject } from '../../flow-files/flow-file.ts';
import { type ActorKind, kindOfActor } from '../../flow-files/machine/actor-kinds.ts';
import type { Invocation } from '../../flow-files/machine/start.ts';
import { outsideCall } from '../event-delivery.ts';

export type InvocationCounts = Readonly<Record<string, number>>;

/** How often each was invoked, over all runs: each time has a workflow id, and an Idempotency-Key, of its own. */
export class Invocations {
  readonly #counts: Map<string, number>;

  constructor(before: InvocationCounts = {}) {
    this.#counts = new Map(Object.entries(before));
  }

  get counts(): InvocationCounts {
    return Object.fromEntries(this.#counts);
  }

  next(id: string): number {
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count;
  }
}

export function actorsOf(invocations: Invocations, clock?: FlowClock): (src: string) => AnyActorLogic {
  const makers: Readonly<Record<Exclude<ActorKind, 'ask' | 'each'>, (src: string) => AnyActorLogic>> = {
    operation: () => activityLogic(operationCall(invocations)),
    flow: (src) => child(src, invocations, clock),
    call: () => activityLogic(connectorCall(invocations)),
  };
  return (src) => makers[kindOfActor(src) as keyof typeof makers](src);
}

/** It undoes what it has booked before its cancellation is over. */
function child(src: string, invocations: Invocations, clock: FlowClock | undefined): AnyActorLogic {
  const logic = childWorkflow<unknown, Invocation>(src, ({ id }) => {
    const count = invocations.next(id);
    const workflowId = `${workflowInfo().workflowId}/${id}`;
    return {
      workflowId: count === 1 ? workflowId : `${workflowId}/${count}`,
    };
  });
  const { child: call } = logic;
  // A flow is started with the invoke's input, as any other caller starts it; its time is that of this process.
  const argument = ({ input }: Invocation) =>
    clock === undefined ? input : { ...(input as JsonObject), clock };
  return { ...logic, child: { ...call, argument, hears: ({ hears }: Invocation) => hears } } as AnyActorLogic;
}

const CALL = {
  ...outsideCall,
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
} as const;

function operationCall(invocations: Invocations): ActivityCall<Invocation> {
  return {
    activity: 'callLockerApi' satisfies keyof FlowFileActivities,
    heedsCancellation: true,
    options: () => CALL,
    summary: ({ src }) => src,
    argument: ({ id, src, input }): LockerApiCall => ({
      operation: src,
      request: (input ?? {}) as JsonObject,
      idempotencyKey: keyOf(id, invocations),
    }),
  };
}

function connectorCall(invocations: Invocations): ActivityCall<Invocation> {
  return {
    activity: 'callConnector' satisfies keyof FlowFileActivities,
    heedsCancellation: true,
    options: () => CALL,
    summary: ({ id, input }) => `${id}: call ${connectorOf(input)}`,
    argument: ({ id, input }): ConnectorCall => ({
      ...(input as unknown as ConnectorCall),
      idempotencyKey: keyOf(id, invocations),
    }),
  };
}

const connectorOf = (input: Json): string => String((input as JsonObject).connector);

function keyOf(id: string, invocations: Invocations): string {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  return [workflowId, firstExecutionRunId, id, invocations.next(id)].join(' ');
}
