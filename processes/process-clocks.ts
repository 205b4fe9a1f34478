// The clocks of processes. Only one that was started with the sandbox's clock is asked for it.

import { LRUCache } from 'lru-cache';
import { startedWith } from '../client/started-with.ts';
import type { AtTemporal } from './at-temporal.ts';
import { aheadMsOf, goesBySandboxClock } from './flow-clock.ts';

interface Run {
  readonly key: string;
  readonly runId: string;
}

const MAX_KNOWN = 10_000;

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
