// An activity as an actor of the chart: `invoke: { src }` names one of these in setup's `actors`.
// The logic is never run; the driver reads from it which activity to schedule, and how.
import type { ActivityOptions } from '@temporalio/workflow';
import { fromPromise, type PromiseActorLogic } from 'xstate';

export interface ActivityCall<Input> {
  /** The activity's type. */
  readonly activity: string;
  options(input: Input): ActivityOptions;
  /** What it does, in words for the timeline. No personal data, no access codes. */
  summary(input: Input): string;
  /** A request to cancel the process also cancels this activity; it still answers once its outcome is known. */
  readonly heedsCancellation: boolean;
}

export type ActivityLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly call: ActivityCall<Input>;
};

export function activityLogic<Output, Input>(call: ActivityCall<Input>): ActivityLogic<Output, Input> {
  const logic = fromPromise<Output, Input>(() => {
    throw new TypeError(`${call.activity} is run by the driver, expected never to run in a live actor`);
  });
  return { ...logic, call };
}

/** The call behind an invoke's `src`. Throws when the chart invokes something that the driver cannot run. */
export function callOf(actors: Readonly<Record<string, unknown>>, src: unknown): ActivityCall<unknown> {
  const logic = typeof src === 'string' ? actors[src] : src;
  if (!isActivityLogic(logic))
    throw new TypeError(`the chart invokes ${String(src)}, expected an activity made with activityLogic`);
  return logic.call;
}

function isActivityLogic(logic: unknown): logic is ActivityLogic<unknown, unknown> {
  return typeof logic === 'object' && logic !== null && 'call' in logic;
}
