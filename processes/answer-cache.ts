// What processes have answered, kept by whoever reads it until their history grows: until then nothing has happened to them, and
// no worker has to work. Temporal itself says how long a history is now. Its search does not: it lags, and what a person has just
// done must be seen.
import { LRUCache } from 'lru-cache';
import type { TemporalContext } from './temporal-context.ts';

const MAX_ENTRIES = 5_000;
/** The workers of a new release may word an answer differently. */
const FRESH_MS = 10 * 60 * 1_000;
const DESCRIBED_WITHIN_MS = 5_000;

interface Place {
  readonly runId: string;
  /** So many events its history has. */
  readonly historyLength: number;
  readonly hasEnded: boolean;
}

/** Where the history of a process is; that of its newest run, unless another one is named. */
export async function placeOf(
  { client }: Pick<TemporalContext, 'client'>,
  workflowId: string,
  runId: string | null = null,
): Promise<Place> {
  const { workflowExecutionInfo: info } = await client.withDeadline(Date.now() + DESCRIBED_WITHIN_MS, () =>
    client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
    }),
  );
  return {
    runId: info?.execution?.runId ?? '',
    historyLength: Number(info?.historyLength),
    hasEnded: Boolean(info?.closeTime),
  };
}

export class AnswerCache<Answer> {
  readonly #kept = new LRUCache<string, { readonly place: Place; readonly answer: Answer }>({
    max: MAX_ENTRIES,
    ttl: FRESH_MS,
  });

  /**
   * As of now. Throws what `ask` throws, and where Temporal does not answer.
   * @param ask by its newest run
   */
  async of(
    temporal: Pick<TemporalContext, 'client'>,
    key: string,
    ask: (runId: string) => Promise<Answer>,
  ): Promise<Answer> {
    // Before the question: what happens meanwhile may be in the answer already, and is asked for again.
    const place = await placeOf(temporal, key);
    const kept = this.#kept.get(key);
    if (kept?.place.runId === place.runId && kept.place.historyLength === place.historyLength)
      return kept.answer;
    const answer = await ask(place.runId);
    this.#kept.set(key, { place, answer });
    return answer;
  }
}
