// The calls that a process has made, as its history has them: which each is, and what came of it.
import { ActivityFailure, CancelledFailure, RetryState } from '@temporalio/common';
import type { FlowFileActivities } from '../../../activities/flow-file-activities.ts';
import type * as family from '../../../engine/temporal/family.ts';
import { bookingCallName } from '../../../flows/simulation/booking-call.ts';
import { type CameOfCall, callKey } from '../../../flows/simulation/recorded-process.ts';
import type { HistoryEvent } from '../history-event.ts';
import type { Payloads } from './payloads.ts';

// Repeated here, and held to be the same by its type: the engine's own is for the sandbox of workflows.
const PARENT_MEMO: typeof family.PARENT_MEMO = 'parent';
const CALLS: readonly string[] = ['callLockerApi', 'callConnector'] satisfies (keyof FlowFileActivities)[];

export interface EndedCall {
  readonly call: string;
  readonly came: CameOfCall;
}

export class RecordedCalls {
  readonly #payloads: Payloads;
  readonly #workflowId: string;
  readonly #keys: string[] = [];
  /** How often each call of a booking was made. */
  readonly #counts = new Map<string, number>();
  /** The calls of children by their tokens, over all runs. */
  readonly #tokens = new Map<string, string>();
  #firstRunId = '';
  /** In this run, by the id of the event that begins a call. */
  #scheduled = new Map<string, string>();

  constructor(payloads: Payloads, workflowId: string) {
    this.#payloads = payloads;
    this.#workflowId = workflowId;
  }

  /** In their order. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Gives the call that ends with this event. */
  async read(event: HistoryEvent): Promise<EndedCall | undefined> {
    const { workflowExecutionStartedEventAttributes: started } = event;
    if (started) {
      this.#firstRunId = started.firstExecutionRunId ?? '';
      this.#scheduled = new Map();
    }
    const begun = await this.#begun(event);
    if (begun !== undefined) {
      this.#scheduled.set(String(event.eventId), begun);
      this.#keys.push(begun);
    }
    const ended = await this.#ended(event);
    const call = ended && this.#scheduled.get(ended.of);
    return ended && call !== undefined ? { call, came: ended.came } : undefined;
  }

  /** What a child has sent; it may be its end. */
  ofChild(message: Partial<family.FromChild> | undefined): EndedCall[] {
    const call = this.#tokens.get(String(message?.token));
    if (call === undefined || !message) return [];
    return [
      ...('event' in message && message.event ? [{ call, came: { event: message.event } }] : []),
      ...('end' in message && message.end ? [{ call, came: cameOf(message.end) }] : []),
    ];
  }

  /** The call that an activity or a child is; undefined: nobody waits for it. */
  async #begun({
    activityTaskScheduledEventAttributes: activity,
    startChildWorkflowExecutionInitiatedEventAttributes: child,
  }: HistoryEvent): Promise<string | undefined> {
    if (activity) return this.#activity(activity.activityType?.name ?? '', activity.input);
    const memo = (await this.#payloads.one(child?.memo?.fields?.[PARENT_MEMO])) as
      | family.ParentMemo
      | undefined;
    if (!child || !memo) return undefined;
    const key = keyIn(child.workflowId ?? '', `${this.#workflowId}/`, '/');
    this.#tokens.set(memo.token, key);
    return key;
  }

  async #activity(name: string, given: Parameters<Payloads['first']>[0]): Promise<string | undefined> {
    const input = await this.#payloads.first(given);
    if (CALLS.includes(name)) {
      const { idempotencyKey = '' } = input as { readonly idempotencyKey?: string };
      return keyIn(idempotencyKey, `${this.#workflowId} ${this.#firstRunId} `, ' ');
    }
    const called = bookingCallName(name, input);
    if (called === undefined) return undefined;
    const count = (this.#counts.get(called) ?? 0) + 1;
    this.#counts.set(called, count);
    return callKey(called, count);
  }

  async #ended(event: HistoryEvent): Promise<{ of: string; came: CameOfCall } | undefined> {
    const done =
      event.activityTaskCompletedEventAttributes ?? event.childWorkflowExecutionCompletedEventAttributes;
    if (done)
      return { of: ofCall(done), came: { output: (await this.#payloads.first(done.result)) ?? null } };
    const failed = (of: object, error: unknown) => ({ of: ofCall(of), came: { error } });
    const ofActivity = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
    if (ofActivity)
      return failed(ofActivity, activityFailure(await this.#payloads.error(ofActivity.failure)));
    const cancelled = event.activityTaskCanceledEventAttributes;
    if (cancelled) return failed(cancelled, activityFailure(new CancelledFailure('it was cancelled')));
    const ofChild = event.childWorkflowExecutionFailedEventAttributes;
    if (ofChild) return failed(ofChild, await this.#payloads.error(ofChild.failure));
    for (const [attributes, name] of ENDS_WITHOUT_FAILURE) {
      const ended = event[attributes];
      if (ended) return failed(ended, Object.assign(new Error(name), { name }));
    }
    return undefined;
  }
}

/** As the process gets it: a time-out counts as one only if it is the cause of an activity's failure. */
const activityFailure = (cause: Error): ActivityFailure =>
  new ActivityFailure(
    'an activity failed',
    '',
    undefined,
    RetryState.NON_RETRYABLE_FAILURE,
    undefined,
    cause,
  );

const ENDS_WITHOUT_FAILURE = [
  ['childWorkflowExecutionCanceledEventAttributes', 'CancelledFailure'],
  ['childWorkflowExecutionTerminatedEventAttributes', 'TerminatedFailure'],
  ['childWorkflowExecutionTimedOutEventAttributes', 'TimeoutFailure'],
  ['startChildWorkflowExecutionFailedEventAttributes', 'WorkflowExecutionAlreadyStartedError'],
] as const;

interface OfCall {
  readonly scheduledEventId?: unknown;
  readonly initiatedEventId?: unknown;
}

const ofCall = ({ scheduledEventId, initiatedEventId }: OfCall): string =>
  String(scheduledEventId ?? initiatedEventId);

/** As the process names them: the invoke's id, and from the second time on a number. */
function keyIn(name: string, prefix: string, separator: string): string {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const at = rest.lastIndexOf(separator);
  const count = at < 0 ? Number.NaN : Number(rest.slice(at + 1));
  return Number.isInteger(count) ? callKey(rest.slice(0, at), count) : callKey(rest, 1);
}

function cameOf(end: family.ChildEnd): CameOfCall {
  if ('result' in end) return { output: end.result };
  if ('cancelled' in end)
    return { error: Object.assign(new Error(end.cancelled), { name: 'CancelledFailure' }) };
  return { error: { code: end.code, message: end.message } };
}
