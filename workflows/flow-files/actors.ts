// What the states of a flow file invoke, as Temporal runs it: flows as child workflows, operations of the locker API and
// calls as activities.
import { uuid4, workflowInfo } from '@temporalio/workflow';
import type { AnyActorLogic } from 'xstate';
import type {
  ConnectorCall,
  FlowFileActivities,
  LockerApiCall,
} from '../../activities/flow-files/flow-file-activities.ts';
import type { FlowClock } from '../../contract/flows/flow-input.ts';
import { type ActivityCall, activityLogic, childWorkflow } from '../../driver/actor-kinds.ts';
import { PARENT_MEMO, type ParentMemo } from '../../driver/world.ts';
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

export type ChildNames = Readonly<Record<string, string>>;

/**
 * The names of the flows that a process has started, by the ids of their invokes. A flow sends its events under its name, which
 * nobody else knows: so nobody else can send them.
 */
export class Children {
  readonly #names: Map<string, string>;

  constructor(before: ChildNames = {}) {
    this.#names = new Map(Object.entries(before));
  }

  get names(): ChildNames {
    return Object.fromEntries(this.#names);
  }

  /** The flow that the invoke has started before loses its own. */
  nameAnew(id: string): string {
    const name = `${id}#${uuid4()}`;
    this.#names.set(id, name);
    return name;
  }

  /** The type by which the file knows an event that one of them has sent; undefined: none of them has. */
  typeOf(sent: string): string | undefined {
    for (const [id, name] of this.#names)
      if (sent.startsWith(`${name}.`)) return `${id}${sent.slice(name.length)}`;
    return undefined;
  }
}

interface Of {
  readonly invocations: Invocations;
  /** Null: the process began before flows had names. */
  readonly children: Children | null;
  readonly clock?: FlowClock | undefined;
}

export function actorsOf({ invocations, children, clock }: Of): (src: string) => AnyActorLogic {
  const makers: Readonly<Record<Exclude<ActorKind, 'ask'>, (src: string) => AnyActorLogic>> = {
    operation: () => activityLogic(operationCall(invocations)),
    flow: (src) => child(src, { invocations, children, clock }),
    call: () => activityLogic(connectorCall(invocations)),
  };
  return (src) => makers[kindOfActor(src) as keyof typeof makers](src);
}

/** It undoes what it has booked before its cancellation is over; whatever ends the parent, it is cancelled, not killed. */
function child(src: string, { invocations, children, clock }: Of): AnyActorLogic {
  const logic = childWorkflow<unknown, Invocation>(src, ({ id, hears }) => {
    const count = invocations.next(id);
    const workflowId = `${workflowInfo().workflowId}/${id}`;
    return {
      workflowId: count === 1 ? workflowId : `${workflowId}/${count}`,
      parentClosePolicy: 'REQUEST_CANCEL',
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      ...(hears.length > 0 && { memo: { [PARENT_MEMO]: parentMemo(id, hears, children) } }),
    };
  });
  const { child: call } = logic;
  // A flow is started with the invoke's input, as any other caller starts it; its time is that of this process.
  const argument = ({ input }: Invocation) =>
    clock === undefined ? input : { ...(input as JsonObject), clock };
  return { ...logic, child: { ...call, argument } } as AnyActorLogic;
}

const parentMemo = (id: string, hears: readonly string[], children: Children | null): ParentMemo => ({
  id: children?.nameAnew(id) ?? id,
  hears: [...hears],
});

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
