// The entries of processes that must be asked what they wait for. One that does not answer is named, and stops no other.
import type { AnswerCache } from '../answer-cache.ts';
import { eachAtOnce } from '../at-once.ts';
import { queryMany } from '../temporal-context.ts';
import type { FoundFlow } from '../views/found-flows.ts';
import { formatUnanswered, type InboxEntry, type InboxParts, type SourceRead } from './inbox-entry.ts';

/** A page waits for the whole inbox. */
const ANSWER_WITHIN_MS = 5_000;

interface Asking<Answer> {
  readonly kept: AnswerCache<Answer>;
  ask(flow: FoundFlow, withinMs: number): Promise<Answer>;
  entriesOf(flow: FoundFlow, answer: Answer): readonly InboxEntry[];
  /** Which of them are not among these, in words. */
  readonly notAll: string | false;
}

export async function entriesOfFlows<Answer>(
  parts: InboxParts,
  flows: readonly FoundFlow[],
  { kept, ask, entriesOf, notAll }: Asking<Answer>,
): Promise<SourceRead> {
  const entries: InboxEntry[] = [];
  const unanswered: string[] = [];
  const asking = queryMany(parts, ANSWER_WITHIN_MS);
  const answerOf = (flow: FoundFlow) =>
    kept.of(parts, flow.workflowId, () => asking(() => ask(flow, ANSWER_WITHIN_MS)));
  for await (const { item, outcome } of eachAtOnce(flows, answerOf))
    if (outcome.done) entries.push(...entriesOf(item, outcome.value));
    else unanswered.push(item.workflowId);
  const missing = [unanswered.length > 0 && formatUnanswered(unanswered.length), notAll];
  const incomplete = missing.filter(Boolean).join('; ');
  return { entries, unanswered, ...(incomplete && { incomplete }) };
}
