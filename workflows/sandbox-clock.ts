// The time of a flow that is started with `clock: "sandbox"`: that of its tenant in a service in staging.
import { proxyLocalActivities } from '@temporalio/workflow';
import type { FlowActivities } from '../activities/flow-activities.ts';
import type { ProcessStart } from '../engine/definition.ts';
import { localRetries } from './local-calls.ts';

export type { ClockStatus } from '../engine/temporal/handlers.ts';

// A local one costs a single event of history.
const { followSandboxClock } = proxyLocalActivities<FlowActivities>({
  startToCloseTimeout: '10 s',
  ...localRetries,
});

/** The input may be anything. */
export function goesBySandboxClock(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'clock' in input && input.clock === 'sandbox';
}

/** For the engine: how far the clock is ahead of the real time; null: the flow goes by that. */
export const clockOf = ({ input }: ProcessStart): Promise<number> | null =>
  goesBySandboxClock(input) ? followSandboxClock() : null;
