// Why the processes of a list have failed. Each is read once: an end does not change.
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { z } from 'zod';
import { FlowFailed } from '../../client/flow-errors.ts';
import { FlowHandle } from '../../client/flow-handle.ts';
import { refusedCallIn } from '../../contract/wire/refused-call.ts';
import { type TemporalContext, withDeadline } from '../temporal-context.ts';
import type { FoundFlow } from './found-flows.ts';
import { formatFailure, sentence } from './readable.ts';

const MAX_ENTRIES = 20_000;
const AT_ONCE = 12;
const WITHIN_MS = 3_000;

export const failure = z.object({
  code: z.string(),
  words: z.string().meta({ description: 'Why, for people' }),
});
export type Failure = Readonly<z.infer<typeof failure>>;

type FailedRun = Pick<FoundFlow, 'workflowId' | 'runId' | 'status'>;
/** As it was said. */
type Failed = Pick<Failure, 'code'> & Parameters<typeof formatFailure>[0];

export class ProcessFailures {
  readonly #parts: Pick<TemporalContext, 'client'>;
  readonly #kept = new LRUCache<string, Failed>({ max: MAX_ENTRIES });
  readonly #limit = pLimit(AT_ONCE);

  constructor(parts: Pick<TemporalContext, 'client'>) {
    this.#parts = parts;
  }

  /** By the run of each that has failed. */
  async of(flows: readonly FailedRun[]): Promise<ReadonlyMap<string, Failure>> {
    const failed = flows.filter(({ status }) => status === 'Failed');
    const read = failed.map(async (flow) => {
      const found = this.#kept.get(flow.runId) ?? (await this.#limit(() => this.#read(flow)));
      // Kept for readers of every language.
      return found
        ? [[flow.runId, { code: found.code, words: sentence(formatFailure(found, new Map())) }] as const]
        : [];
    });
    return new Map((await Promise.all(read)).flat());
  }

  async #read({ workflowId, runId }: FailedRun): Promise<Failed | undefined> {
    const handle = new FlowHandle(this.#parts.client.workflow.getHandle(workflowId, runId));
    try {
      await withDeadline(this.#parts, () => handle.result(), WITHIN_MS);
    } catch (error) {
      if (!(error instanceof FlowFailed)) return undefined;
      const { code, message, details } = error;
      const found = { code, message, ...refusedCallIn(code, details[0]) };
      this.#kept.set(runId, found);
      return found;
    }
    return undefined;
  }
}
