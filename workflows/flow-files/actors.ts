// What the states of a flow file invoke, as Temporal runs it: flows as child workflows, operations of the locker API and
// calls as activities.

import { type ActivityOptions, workflowInfo } from '@temporalio/workflow';
import type { AnyActorLogic } from 'xstate';
import type {
  Attempts,
  ConnectorCall,
  FlowFileActivities,
  LockerApiCall,
} from '../../activities/flow-file-activities.ts';
import type { AccountOperation } from '../../contract/flows/account-operations.ts';
import type { FlowClock } from '../../contract/flows/flow-input.ts';
import type { SearchAttributeName } from '../../contract/flows/search-attributes.ts';
import { type ActivityCall, activityLogic, childLogic } from '../../engine/actor-kinds.ts';
import { bookingActor } from '../../flows/booking/booking-actor.ts';
import type { BookingSnapshots } from '../../flows/booking/booking-state.ts';
import { durationMs } from '../../flows/language/duration.ts';
import { type JsonObject, listOf } from '../../flows/language/flow-file.ts';
import { titled } from '../../flows/language/item-title.ts';
import { type ActorKind, kindOfActor } from '../../flows/language/machine/actor-kinds.ts';
import type { Invocation } from '../../flows/language/machine/machine-runtime.ts';
import { UNDO_KEY } from '../../flows/language/machine/undo.ts';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';
import { bookingCalls } from '../booking-calls.ts';
import { externalCallOptions } from '../event-delivery.ts';

/** Lists find a process by its phase: whoever starts one sets it, so that it is found whatever its first step comes to. */
export const atStart = { LockerPhase: ['Open'] } satisfies Partial<Record<SearchAttributeName, string[]>>;

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

export function actorsOf(
  invocations: Invocations,
  bookings: BookingSnapshots,
  clock?: FlowClock,
): (src: string) => AnyActorLogic {
  const makers: Readonly<
    Record<Exclude<ActorKind, 'ask' | 'each' | 'undo'>, (src: string) => AnyActorLogic>
  > = {
    operation: () => activityLogic(operationCall(invocations)),
    flow: (src) => child(src, invocations, clock),
    call: () => activityLogic(connectorCall(invocations)),
    book: () => bookingActor(bookingCalls, bookings),
  };
  return (src) => makers[kindOfActor(src) as keyof typeof makers](src);
}

const withItem = (words: string, { itemTitle }: Invocation): string =>
  titled(words, itemTitle === undefined ? undefined : shownAsText(itemTitle));

/** It undoes what it has booked before its cancellation is over. */
function child(src: string, invocations: Invocations, clock: FlowClock | undefined): AnyActorLogic {
  return childLogic<unknown, Invocation>({
    workflow: src,
    workflowId: ({ id }) => {
      const count = invocations.next(id);
      const workflowId = `${workflowInfo().workflowId}/${id}`;
      return count === 1 ? workflowId : `${workflowId}/${count}`;
    },
    subscriptions: ({ subscriptions }) => subscriptions,
    summary: (invocation) => (invocation.itemTitle === undefined ? undefined : withItem(src, invocation)),
    searchAttributes: atStart,
    // A flow is started with the invoke's input, as any other caller starts it; its time is that of this process.
    argument: ({ input }) => (clock === undefined ? input : { ...(input as JsonObject), clock }),
  });
}

const LONGEST_PAUSE_MS = 60_000;

const CALL = {
  ...externalCallOptions,
  retry: { initialInterval: '1 s', maximumInterval: LONGEST_PAUSE_MS },
} as const;

function callOptions({ retry, within }: Invocation): ActivityOptions {
  if (retry === undefined && within === undefined) return CALL;
  const { first, factor, longest, tries } = retry ?? {};
  return {
    ...CALL,
    retry: {
      initialInterval: durationMs(first) ?? CALL.retry.initialInterval,
      // A first pause that is longer is the longest one.
      maximumInterval: Math.max(durationMs(longest) ?? LONGEST_PAUSE_MS, durationMs(first) ?? 0),
      ...(factor !== undefined && { backoffCoefficient: factor }),
      ...(tries !== undefined && { maximumAttempts: tries }),
    },
    ...(within !== undefined && { scheduleToCloseTimeout: durationMs(within) ?? 0 }),
  };
}

/** What the activity must know of its attempts. */
function attempts({ retry, within }: Invocation): { readonly attempts?: Attempts } {
  if (retry === undefined && within === undefined) return {};
  const isBounded = within !== undefined || retry?.tries !== undefined;
  return { attempts: { on: listOf(retry?.on), isBounded } };
}

function operationCall(invocations: Invocations): ActivityCall<Invocation> {
  return {
    activity: 'callLockerApi' satisfies keyof FlowFileActivities,
    isCancellable: true,
    options: callOptions,
    summary: (invocation) => withItem(`${invocation.src}${fieldsSet(invocation)}`, invocation),
    argument: (invocation): LockerApiCall => ({
      operation: invocation.src,
      request: (invocation.input ?? {}) as JsonObject,
      idempotencyKey: keyOf(invocation, invocations),
      ...attempts(invocation),
    }),
  };
}

/** Three steps that set something differ by what they set. */
function fieldsSet({ src, input }: Invocation): string {
  const { fields } = (input ?? {}) as JsonObject;
  const isNamed = src === ('SetAccount' satisfies AccountOperation) && Array.isArray(fields);
  return isNamed ? `: ${shownAsText(fields.join(', '))}` : '';
}

function connectorCall(invocations: Invocations): ActivityCall<Invocation> {
  return {
    activity: 'callConnector' satisfies keyof FlowFileActivities,
    isCancellable: true,
    options: callOptions,
    summary: (invocation) => {
      const { id, input } = invocation;
      const connector = shownAsText(String((input as JsonObject).connector));
      return withItem(`${shownAsText(id)}: call ${connector}`, invocation);
    },
    argument: (invocation): ConnectorCall => ({
      ...(invocation.input as unknown as ConnectorCall),
      idempotencyKey: keyOf(invocation, invocations),
      ...attempts(invocation),
    }),
  };
}

/** A step is undone under one key, however often that is tried. */
function keyOf({ id, step }: Invocation, invocations: Invocations): string {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const which = step === undefined ? [id, invocations.next(id)] : [UNDO_KEY, step];
  return [workflowId, firstExecutionRunId, ...which].join(' ');
}
