// The clock of a flow started with `clock: "sandbox"`: it follows the sandbox clock of its tenant in the staging service.
import { proxyLocalActivities } from '@temporalio/workflow';
import type { FlowActivities } from '../activities/flow-activities.ts';
import type { ProcessStart } from '../engine/definition/definition.ts';
import { localRetries } from './local-calls.ts';

export type { ClockStatus } from '../engine/temporal/handlers.ts';

// A local activity adds one event to the history; a normal one adds three.
const { followSandboxClock } = proxyLocalActivities<FlowActivities>({
  startToCloseTimeout: '10 s',
  ...localRetries,
});

/** The input may be anything. */
export function goesBySandboxClock(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'clock' in input && input.clock === 'sandbox';
}

/** For the engine: how many milliseconds the sandbox clock is ahead of real time; null: the flow uses real time. */
export const clockOf = ({ input }: ProcessStart): Promise<number> | null =>
  goesBySandboxClock(input) ? followSandboxClock() : null;
