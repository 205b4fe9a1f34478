// How the workflow's worker repeats a local activity. While it does, the activity keeps one of the few places for workflow tasks;
// behind the threshold it waits by a timer, and gives the place to others.
import type { LocalActivityOptions } from '@temporalio/workflow';

export const localRetries = {
  retry: { initialInterval: '100 ms', maximumInterval: '10 minutes' },
  localRetryThreshold: '1 s',
} as const satisfies LocalActivityOptions;
