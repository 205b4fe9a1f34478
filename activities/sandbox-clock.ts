// The clock of the tenant in a service in staging, for flows that go by it.
import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { FlowInput } from '../contract/flows/flow-input.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { apiFailure } from './failures.ts';

/** A service in production, and one that is not ours, has none. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['NotAvailable', 'UnknownOperation']);

/** From now on the flow goes by it. How far it is ahead of the real time. */
export async function followSandboxClock({ api, serviceProfile }: ActivityDependencies): Promise<number> {
  const { workflowNamespace, workflowExecution } = activityInfo();
  try {
    const follow = `${workflowNamespace}/${workflowExecution?.workflowId}`;
    return (await api.sandboxClock({ follow })).aheadMs;
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    if (!NOT_OFFERED.has(error.code)) throw apiFailure(error, serviceProfile);
    throw ApplicationFailure.create({
      type: 'NotAvailable',
      message: `clock is "sandbox", but this locker service has no clock that can be moved: expected one in staging; start the flow without clock (${error.message})`,
      nonRetryable: true,
      category: 'BENIGN',
    });
  }
}

/** How far a flow's time is ahead of the worker's. */
export async function aheadOf(
  { api, serviceProfile }: ActivityDependencies,
  { clock }: FlowInput,
): Promise<number> {
  if (clock !== 'sandbox') return 0;
  try {
    return (await api.sandboxClock()).aheadMs;
  } catch (error) {
    // Tried again: the flow has had the clock before.
    throw error instanceof LockerApiError ? apiFailure(error, serviceProfile, { retryable: true }) : error;
  }
}
