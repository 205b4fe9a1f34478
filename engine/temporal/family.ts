// What a parent workflow and its children say to each other, all in one place. A child does not end with the run that has
// started it (`children.ts`), so it tells its end by a message, to whatever run its parent has then. Each message has a token
// that only the two know: nobody else's counts, nor that of a child which a former process under the same id has left behind.
import {
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
  defineSignal,
  getExternalWorkflowHandle,
  log,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import { matchesAny } from '../chart/messages.ts';
import type { CarriedParent } from '../continued.ts';

/** The field of the memo that a parent starts its child with: a `ParentMemo`. */
export const PARENT_MEMO = 'parent';

export interface ParentMemo {
  /** Chosen by the parent; each message of the child has it. */
  readonly token: string;
  /** The types of the events that the parent gets: `issue.Completed`, `issue.*`, or `*` for all. */
  readonly subscriptions: readonly string[];
}

/** The signal to a parent; its argument is a `FromChild`. */
export const CHILD_EVENT = 'childEvent';

export type FromChild = { readonly token: string } & (
  | {
      readonly event: EventObject;
      /** The version of the child's definition that has made it. */
      readonly version: number;
    }
  /** The answer to `ToChild`: from now on the child tells what it asks for. */
  | { readonly subscribed: true }
  | { readonly end: ChildEnd }
);

export type ChildEnd =
  | { readonly result: unknown }
  | { readonly cancelled: string }
  | { readonly code: string; readonly message: string; readonly details: readonly unknown[] };

/** The signal to a child; its argument is a `ToChild`. It may come more than once. */
const SUBSCRIPTION = 'parentSubscription';

export interface ToChild {
  readonly token: string;
  /** In place of the memo's. */
  readonly subscriptions: readonly string[];
  /** Whether it tells its end too. */
  readonly end: boolean;
}

export const childEvent = defineSignal<[FromChild]>(CHILD_EVENT);
export const subscription = defineSignal<[ToChild]>(SUBSCRIPTION);

/** The parent of this workflow, as far as it is to be told something. */
export class Parent {
  readonly #token: string | null;
  #subscriptions: readonly string[];
  #wantsEnd: boolean;
  #isEndReported = false;

  constructor(carried?: CarriedParent) {
    const { parent, memo } = workflowInfo();
    const { token = null, subscriptions = [] } = (
      parent ? (memo?.[PARENT_MEMO] ?? {}) : {}
    ) as Partial<ParentMemo>;
    this.#token = token;
    this.#subscriptions = carried?.subscriptions ?? subscriptions;
    this.#wantsEnd = carried?.wantsEnd ?? false;
  }

  /** Whether it can ask for something. */
  get isThere(): boolean {
    return this.#token !== null;
  }

  /** Otherwise events for it cost nothing. */
  get isListening(): boolean {
    return this.#subscriptions.length > 0;
  }

  /** Whether it waits for the end of this workflow, and does not know it yet. */
  get isOwedTheEnd(): boolean {
    return this.#wantsEnd && !this.#isEndReported;
  }

  /** Undefined: it is as the memo says. */
  get carried(): CarriedParent | undefined {
    return this.#wantsEnd ? { subscriptions: this.#subscriptions, wantsEnd: true } : undefined;
  }

  /** The answer; undefined if it is not the parent who asks. */
  subscribe({ token, subscriptions, end }: Partial<ToChild>): FromChild | undefined {
    if (this.#token === null || token !== this.#token) return undefined;
    this.#subscriptions = subscriptions ?? [];
    this.#wantsEnd = end === true;
    return { token, subscribed: true };
  }

  /** Undefined if it does not listen for the event. */
  messageOf(event: EventObject, version: number): FromChild | undefined {
    return matchesAny(event.type, this.#subscriptions) && this.#token !== null
      ? { token: this.#token, event, version }
      : undefined;
  }

  endOf(end: ChildEnd): FromChild {
    this.#isEndReported = true;
    return { token: this.#token ?? '', end };
  }

  /** Repeats a message until the parent has it. One that has ended needs none. */
  async notify(message: FromChild): Promise<void> {
    for (;;) {
      try {
        // Without a run id: the parent may have continued as a new run.
        await getExternalWorkflowHandle(workflowInfo().parent?.workflowId ?? '').signal(childEvent, message);
        return;
      } catch (error) {
        if (isGone(error)) {
          log.info('the parent workflow got no message: it has ended', { error: String(error) });
          return;
        }
        log.warn('the parent workflow did not take a message', { error: String(error) });
        await sleep('1 minute');
      }
    }
  }
}

/** Whether a signal or a cancellation has failed because its workflow has ended, or never was. */
export function isGone(error: unknown): boolean {
  const { type } = (error ?? {}) as { readonly type?: unknown };
  return /not_?found/i.test(String(type));
}

/** A failure as data: what a parent sees of it. */
export function endOfFailure(error: unknown): ChildEnd {
  const { message } = error as Error;
  if (error instanceof CancelledFailure) return { cancelled: message };
  const { type, details } = (error ?? {}) as Partial<ApplicationFailure>;
  return { code: type ?? 'WorkflowFailed', message, details: details ?? [] };
}

/** The failure of a child as its parent would have it of Temporal. */
export function failureOfEnd(
  end: Exclude<ChildEnd, { readonly result: unknown }>,
  workflowId: string,
  type: string,
): ChildWorkflowFailure {
  const cause =
    'cancelled' in end
      ? new CancelledFailure(end.cancelled)
      : ApplicationFailure.create({
          type: end.code,
          message: end.message,
          details: [...end.details],
          nonRetryable: true,
        });
  return new ChildWorkflowFailure(
    workflowInfo().namespace,
    { workflowId },
    type,
    'NON_RETRYABLE_FAILURE',
    cause,
  );
}
