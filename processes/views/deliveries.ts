// What became of messages and requests for a mechanic: by the workflow that delivers each, whose id stands in the answer of the process.
import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { t } from '../../shared/texts/text.ts';
import { eachAtOnce } from '../at-once.ts';
import { tryingOf } from './execution.ts';
import { isoTime } from './found-flows.ts';
import { sentence } from './readable.ts';

export interface DeliveryOutcome {
  readonly state: 'delivered' | 'trying' | 'refused';
  readonly words: string;
}

/** Each is a call of Temporal: of a case with more, the newest are asked about. */
const MAX_ASKED = 20;

/**
 * By id; what Temporal has forgotten is left out.
 * @param most the last so many are asked about
 */
export async function deliveryOutcomes(
  client: Client,
  ids: readonly string[],
  most = MAX_ASKED,
): Promise<ReadonlyMap<string, DeliveryOutcome>> {
  const found = new Map<string, DeliveryOutcome>();
  const newest = [...new Set(ids)].slice(-most);
  for await (const { item, outcome } of eachAtOnce(newest, (id) => deliveryOutcome(client, id))) {
    if (!outcome.done) throw outcome.error;
    if (outcome.value) found.set(item, outcome.value);
  }
  return found;
}

/** Undefined: Temporal does not have it any more. */
export async function deliveryOutcome(
  client: Client,
  id: string,
  runId?: string,
): Promise<DeliveryOutcome | undefined> {
  try {
    const handle = client.workflow.getHandle(id, runId);
    const described = await handle.describe();
    const { name } = described.status;
    if (name === 'RUNNING') return underWay(await tryingOf(client, described));
    if (name === 'COMPLETED') {
      const at = isoTime(described.raw.workflowExecutionInfo?.closeTime);
      return { state: 'delivered', words: sentence(at === null ? t`delivered` : t`delivered ${at}`) };
    }
    if (name !== 'FAILED') return { state: 'refused', words: t`Not sent: somebody has ended its delivery.` };
    const failure = await handle.result().then(() => null, reasonOf);
    return { state: 'refused', words: sentence(t`not taken: ${failure}`) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

function underWay([pending]: Awaited<ReturnType<typeof tryingOf>>): DeliveryOutcome {
  if (!pending?.lastFailure) return { state: 'trying', words: t`On its way.` };
  const { attempt, lastFailure } = pending;
  return {
    state: 'trying',
    words: sentence(t`not taken yet, and tried again (${attempt} times so far): ${lastFailure}`),
  };
}

/** What the other side said is the innermost cause. */
function reasonOf(error: unknown): string {
  let innermost: unknown = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(error instanceof WorkflowFailedError) || !(innermost instanceof Error)) throw error;
  return innermost.message;
}
