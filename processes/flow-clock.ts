// The clocks of flows and of the locker service: the sandbox's, which may be ahead of the real time. What the service tells is by
// its clock.
import { LRUCache } from 'lru-cache';
import { queried } from '../client/queried.ts';
import { startedWith } from '../client/started-with.ts';
import type { FlowClock } from '../contract/flows/flow-input.ts';
import { type LockerApi, LockerApiError } from '../shared/locker-api/index.ts';
import type { ClockStatus } from '../workflows/sandbox-clock.ts';
import type { TemporalContext } from './temporal-context.ts';

/** 0 for a flow that goes by the real time, and where no worker answers. */
export async function aheadMsOf(
  temporal: TemporalContext,
  workflowId: string,
  runId?: string,
): Promise<number> {
  const handle = temporal.client.workflow.getHandle(workflowId, runId);
  return await queried(temporal, () => handle.query<ClockStatus>('clock')).then(
    ({ aheadMs }) => aheadMs,
    () => 0,
  );
}

export const nowOf = async (temporal: TemporalContext, workflowId: string): Promise<Date> =>
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
  async aheadMs(parts: TemporalContext, { key, runId }: Run): Promise<number> {
    const known = this.#isOfSandbox.get(runId);
    const isOfSandbox = known ?? goesBySandboxClock((await startedWith(parts.client, key, runId)).input);
    if (known === undefined) this.#isOfSandbox.set(runId, isOfSandbox);
    return isOfSandbox ? await aheadMsOf(parts, key, runId) : 0;
  }
}

/** A clock that somebody moves shows soon after this. */
const LASTS_MS = 2_000;

export class ServiceClock {
  readonly #service: Pick<LockerApi, 'sandboxClock'>;
  #last: { readonly askedAt: number; readonly aheadMs: Promise<number | null> } | undefined;

  constructor(service: Pick<LockerApi, 'sandboxClock'>) {
    this.#service = service;
  }

  /** How far it is ahead of the real time; null: the service is not in staging. Throws if it does not answer. */
  async aheadMs(now = Date.now()): Promise<number | null> {
    if (!this.#last || now - this.#last.askedAt > LASTS_MS)
      this.#last = { askedAt: now, aheadMs: this.#ask() };
    const { aheadMs } = this.#last;
    const answer = await aheadMs.catch((error: unknown) => {
      this.#last = undefined;
      throw error;
    });
    // A service does not change its mode while it runs.
    if (answer === null) this.#last = { askedAt: Number.POSITIVE_INFINITY, aheadMs };
    return answer;
  }

  async #ask(): Promise<number | null> {
    try {
      return (await this.#service.sandboxClock()).aheadMs;
    } catch (error) {
      if (error instanceof LockerApiError && error.httpStatus !== null && error.httpStatus < 500) return null;
      throw error;
    }
  }
}
