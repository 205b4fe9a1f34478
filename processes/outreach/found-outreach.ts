// What people sent outside, as Temporal's executions of the workflow that delivers it have it: they are the only record.
import { OUTREACH_DELIVERY } from '../../contract/flows/outreach.ts';
import { eachAtOnce } from '../at-once.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { type DeliveryOutcome, deliveryOutcome } from '../views/deliveries.ts';
import { onTaskQueue, quoted, type Span, within } from '../views/flow-query.ts';

export type OutreachParts = Pick<TemporalContext, 'client' | 'taskQueue'>;

export interface OutreachSpan extends Span {
  readonly most: number;
}

export interface FoundOutreach<Memo> extends DeliveryOutcome {
  readonly memo: Memo;
  readonly at: string;
  readonly runId: string;
}

/**
 * The newest first. Throws CommandError (unreachable).
 * @param subject by which they are found
 * @param memoOf undefined: it is none of those
 */
export async function foundOutreach<Memo>(
  parts: OutreachParts,
  subject: string,
  { most, ...span }: OutreachSpan,
  memoOf: (memo: Readonly<Record<string, unknown>>) => Memo | undefined,
): Promise<FoundOutreach<Memo>[]> {
  const { client, taskQueue } = parts;
  const query = [
    `WorkflowType = '${OUTREACH_DELIVERY}'`,
    onTaskQueue(taskQueue),
    `LockerSubjects = ${quoted(subject)}`,
    ...within('StartTime', span),
  ].join(' AND ');
  return await callTemporal(parts, async () => {
    const all: { readonly id: string; readonly runId: string; readonly at: Date; readonly memo: Memo }[] = [];
    for await (const { workflowId: id, runId, startTime: at, memo: kept } of client.workflow.list({
      query,
    })) {
      const memo = memoOf(kept ?? {});
      if (memo) all.push({ id, runId, at, memo });
    }
    // Temporal's order is by the end, those that run first.
    const newest = all.toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, most);
    const found = new Map<string, FoundOutreach<Memo>>();
    const outcomes = eachAtOnce(newest, ({ id, runId }) => deliveryOutcome(client, id, runId));
    for await (const { item, outcome } of outcomes) {
      if (!outcome.done) throw outcome.error;
      const { memo, at, runId } = item;
      if (outcome.value) found.set(runId, { ...outcome.value, memo, at: at.toISOString(), runId });
    }
    return newest.flatMap(({ runId }) => found.get(runId) ?? []);
  });
}
