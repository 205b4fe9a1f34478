// The chart's invoked actors as activities: started, stopped, and their answers brought back as the events of xstate.
import { type ActivityInterfaceFor, CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { ActivityCall } from './activity-call.ts';
import type { Inbox } from './inbox.ts';

export interface Invoke {
  readonly id: string;
  readonly scope: CancellationScope;
  readonly heedsCancellation: boolean;
}

/** xstate's own events for an actor that is done or has failed. */
interface Answer extends EventObject {
  readonly output?: unknown;
  readonly error?: unknown;
  readonly actorId?: string;
}

type AnyActivities = ActivityInterfaceFor<Record<string, (input: unknown) => Promise<unknown>>>;

/** Schedules an activity by its call; rejects with ActivityFailure. */
export function callActivity<Input>(call: ActivityCall<Input>, input: Input): Promise<unknown> {
  const activities: AnyActivities = proxyActivities({ ...call.options(input), summary: call.summary(input) });
  const run = activities[call.activity];
  if (!run) throw new TypeError(`${call.activity} is no activity type`);
  return run(input);
}

export class Invokes {
  readonly #inbox: Inbox;
  readonly #open = new Map<string, Invoke>();

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
  }

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  start(id: string, call: ActivityCall<unknown>, input: unknown): void {
    this.stop(id);
    const { heedsCancellation } = call;
    const invoke: Invoke = { id, scope: new CancellationScope(), heedsCancellation };
    this.#open.set(id, invoke);
    const bring = (answer: Answer) => this.#inbox.push({ kind: 'invoke', invoke, event: answer });
    void invoke.scope
      .run(() => callActivity(call, input))
      .then(
        (output) => bring({ type: `xstate.done.actor.${id}`, output, actorId: id }),
        (error) => bring({ type: `xstate.error.actor.${id}`, error, actorId: id }),
      );
  }

  /** The chart has left the state that invoked it. One that has answered is not open any more. */
  stop(id: string): void {
    this.#open.get(id)?.scope.cancel();
    this.#open.delete(id);
  }

  /** Asks those that heed it to end early; they still answer. */
  requestCancellation(): void {
    for (const { scope, heedsCancellation } of this.#open.values()) if (heedsCancellation) scope.cancel();
  }

  /** Whether this very invoke is still the one open under its id: a stale answer must not be fed. */
  take(invoke: Invoke): boolean {
    if (this.#open.get(invoke.id) !== invoke) return false;
    return this.#open.delete(invoke.id);
  }
}
