// An activity as an actor of the chart: `invoke: { src }` names one of these in setup's `actors`. The logic never runs;
// the driver reads from it which activity to schedule, and how.
import type { ActivityOptions } from '@temporalio/workflow';
import { fromPromise, type PromiseActorLogic } from 'xstate';

export interface ActivityCall<Input> {
  /** The activity's type. */
  readonly activity: string;
  options(input: Input): ActivityOptions;
  /** What the activity gets; the actor's input if not given. */
  argument?(input: Input): unknown;
  /** A text for the timeline. No personal data, no access codes. */
  summary(input: Input): string | undefined;
  /** A request to cancel the process also cancels this activity; it still answers when its outcome is known. */
  readonly heedsCancellation: boolean;
}

export type ActivityLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly call: ActivityCall<Input>;
};

export function activityLogic<Output, Input>(call: ActivityCall<Input>): ActivityLogic<Output, Input> {
  return { ...neverRun<Output, Input>(call.activity), call };
}

export interface ActivitySettings<Input> extends Omit<ActivityOptions, 'summary'> {
  /** A text for the timeline of the Web UI; the history keeps it, so no personal data. */
  readonly summary?: string | ((input: Input) => string);
  /** Whether a request to cancel the workflow also cancels the activity. True if not given. */
  readonly heedsCancellation?: boolean;
}

/** An activity by its type, to be invoked or spawned by a machine. It has one minute if no time-out is given. */
export function activity<Output = unknown, Input = unknown>(
  name: string,
  settings: ActivitySettings<Input> = {},
): ActivityLogic<Output, Input> {
  return activityLogic(callBySettings(name, settings));
}

/** An activity as an action of a machine: the machine does not wait for it, but the workflow ends only after it. */
export type ActivityAction<Params> = ((args: unknown, params: Params) => void) & {
  readonly activityCall: ActivityCall<unknown>;
};

/** It gets the action's params, or the event if the action has none. */
export function activityAction<Params = undefined>(
  name: string,
  settings: ActivitySettings<unknown> = {},
): ActivityAction<Params> {
  const action = () => {
    throw new TypeError(`the action ${name} is an activity: only a workflow made with the driver can run it`);
  };
  return Object.assign(action, { activityCall: callBySettings(name, settings) });
}

export function activityOfAction(implementation: unknown): ActivityCall<unknown> | undefined {
  return typeof implementation === 'function' && 'activityCall' in implementation
    ? (implementation as ActivityAction<unknown>).activityCall
    : undefined;
}

function callBySettings<Input>(
  name: string,
  { summary, heedsCancellation = true, ...options }: ActivitySettings<Input>,
): ActivityCall<Input> {
  const { startToCloseTimeout, scheduleToCloseTimeout } = options;
  const hasTimeout = startToCloseTimeout !== undefined || scheduleToCloseTimeout !== undefined;
  const scheduled: ActivityOptions = hasTimeout ? options : { ...options, startToCloseTimeout: '1 minute' };
  return {
    activity: name,
    options: () => scheduled,
    summary: (input) => (typeof summary === 'function' ? summary(input) : summary),
    heedsCancellation,
  };
}

/** Logic of which only the type is used. */
export function neverRun<Output, Input>(name: string): PromiseActorLogic<Output, Input> {
  return fromPromise<Output, Input>(() => {
    throw new TypeError(`${name} is run by the driver, expected never to run in a live actor`);
  });
}

/** The call of an invoke's `src`. Throws if the driver cannot run it. */
export function callOf(actors: Readonly<Record<string, unknown>>, src: unknown): ActivityCall<unknown> {
  const logic = typeof src === 'string' ? actors[src] : src;
  if (!isActivityLogic(logic))
    throw new TypeError(`the chart invokes ${String(src)}, expected an activity made with activityLogic`);
  return logic.call;
}

export function isActivityLogic(logic: unknown): logic is ActivityLogic<unknown, unknown> {
  return typeof logic === 'object' && logic !== null && 'call' in logic;
}
