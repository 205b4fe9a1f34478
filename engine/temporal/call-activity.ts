// Schedules an activity.
import { type ActivityInterfaceFor, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ActivityCall } from '../actor-kinds.ts';

type AnyActivities = ActivityInterfaceFor<Record<string, (input: unknown) => Promise<unknown>>>;

/** By its call; rejects with ActivityFailure. */
export function callActivity<Input>(call: ActivityCall<Input>, input: Input): Promise<unknown> {
  const summary = call.summary(input);
  const options = { ...call.options(input), ...(summary !== undefined && { summary }) };
  const activities: AnyActivities = call.isLocal ? proxyLocalActivities(options) : proxyActivities(options);
  const run = activities[call.activity];
  if (!run) throw new TypeError(`${call.activity} is not an activity type`);
  return run(call.argument ? call.argument(input) : input);
}
