// The clock by which a flow goes: the sandbox's, which may be ahead of the real time, or none of its own.
import type { FlowClock } from '../contract/flows/flow-input.ts';
import type { ClockStatus } from '../workflows/sandbox-clock.ts';
import { type AtTemporal, answered } from './at-temporal.ts';

/** 0 for a flow that goes by the real time, and where no worker answers. */
export async function aheadMsOf(temporal: AtTemporal, workflowId: string, runId?: string): Promise<number> {
  const handle = temporal.client.workflow.getHandle(workflowId, runId);
  return await answered(temporal, () => handle.query<ClockStatus>('clock')).then(
    ({ aheadMs }) => aheadMs,
    () => 0,
  );
}

export const nowOf = async (temporal: AtTemporal, workflowId: string): Promise<Date> =>
  new Date(Date.now() + (await aheadMsOf(temporal, workflowId)));

/** What a flow was started with tells it. The input may be anything. */
export function goesBySandboxClock(input: unknown): boolean {
  const { clock } = (input ?? {}) as { readonly clock?: unknown };
  return clock === ('sandbox' satisfies FlowClock);
}
