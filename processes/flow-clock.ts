// The clock by which a flow goes: the sandbox's, which may be ahead of the real time, or none of its own.
import { LRUCache } from 'lru-cache';
import { startedWith } from '../client/started-with.ts';
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
function goesBySandboxClock(input: unknown): boolean {
  const { clock } = (input ?? {}) as { readonly clock?: unknown };
  return clock === ('sandbox' satisfies FlowClock);
}

interface Run {
  readonly key: string;
  readonly runId: string;
}

const MAX_KNOWN = 10_000;

/** Only a process that was started with the sandbox's clock is asked for it. */
export class ProcessClocks {
  /** By run: what it was started with does not change. */
  readonly #isOfSandbox = new LRUCache<string, boolean>({ max: MAX_KNOWN });

  /** How far it is ahead of the real time; 0 for a process that goes by that, and where no worker answers. */
  async aheadMs(parts: AtTemporal, { key, runId }: Run): Promise<number> {
    const known = this.#isOfSandbox.get(runId);
    const isOfSandbox = known ?? goesBySandboxClock((await startedWith(parts.client, key, runId)).input);
    if (known === undefined) this.#isOfSandbox.set(runId, isOfSandbox);
    return isOfSandbox ? await aheadMsOf(parts, key, runId) : 0;
  }
}
