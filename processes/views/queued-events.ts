// Events by business data that wait in their queues, and those that nobody took, without their data. Temporal's list, which finds the
// queues, lags: an event that was just sent may be missing.
import { z } from 'zod';
import { CORRELATION_QUEUE } from '../../contract/flows/flow-types.ts';
import type { CorrelationKeys, QueuedEvent } from '../../flows/language/correlation.ts';
import { correlationQueueId, mayHold, queuedEvents } from '../../shared/routing/correlation-queues.ts';
import { eachAtOnce } from '../at-once.ts';
import { queryMany, type TemporalContext } from '../temporal-context.ts';
import { onTaskQueue } from './flow-query.ts';

/** Each is queried, and there is one for each key and value of the open processes. */
const MAX_QUEUES = 500;
/** Ten pages of Temporal's list. With keys, few of these queues are queried. */
const MAX_LISTED = 10_000;

export const queuedEventsPage = z.object({
  events: z
    .array(
      z.object({
        type: z.string(),
        id: z.string(),
        where: z.record(z.string(), z.string()),
        sentAt: z.string().meta({ format: 'date-time' }),
        until: z.string().meta({ format: 'date-time', description: 'How long it waits, or has waited' }),
        takenBy: z.array(z.string()).meta({ description: 'The flows whose processes have received it' }),
        processes: z.int().meta({ description: 'How many processes have received it' }),
        state: z.enum(['waits', 'nobodyTook']).meta({
          description: '`waits` for processes that begin to listen until then, or `nobodyTook` it until then',
        }),
      }),
    )
    .meta({ description: 'The newest first' }),
  queues: z.number().int().meta({ description: 'How many queues have answered' }),
  isComplete: z.boolean().meta({
    description: `Whether every queue was asked (at most ${MAX_QUEUES} are), has answered, and all of it is told`,
  }),
});
export type QueuedEventsPage = z.infer<typeof queuedEventsPage>;

/** @param where only events with these keys; queues that cannot hold any are not queried */
export async function readQueuedEvents(
  temporal: TemporalContext,
  { where = {}, size }: { readonly where?: CorrelationKeys | undefined; readonly size: number },
): Promise<QueuedEventsPage> {
  const { ids, isAll } = await queueIds(temporal, where);
  const asking = queryMany(temporal);
  const ask = (id: string) => asking(() => queuedEvents(temporal.client, id, where));
  const found: QueuedEvent[] = [];
  let queues = 0;
  let isComplete = isAll;
  for await (const { outcome } of eachAtOnce(ids, ask)) {
    if (outcome.done) {
      queues += 1;
      found.push(...outcome.value.events);
    }
    isComplete &&= outcome.done && outcome.value.isComplete;
  }
  const now = new Date().toISOString();
  const events = found
    .flatMap((event) => stateOf(event, now))
    .toSorted((one, other) => (one.sentAt < other.sentAt ? 1 : -1));
  return { events: events.slice(0, size), queues, isComplete: isComplete && events.length <= size };
}

/** An event that was taken and waits no longer is kept only to recognize a repetition. */
function stateOf(event: QueuedEvent, now: string): QueuedEventsPage['events'] {
  const { takenBy } = event;
  const isOver = event.until <= now;
  if (isOver && takenBy.length > 0) return [];
  return [
    { ...event, where: { ...event.where }, takenBy: [...takenBy], state: isOver ? 'nobodyTook' : 'waits' },
  ];
}

/** The queues of the given keys come first, because the list may not have them yet. */
async function queueIds(
  { client, taskQueue }: TemporalContext,
  where: CorrelationKeys,
): Promise<{ readonly ids: readonly string[]; readonly isAll: boolean }> {
  const query = `WorkflowType = '${CORRELATION_QUEUE}' AND ExecutionStatus = 'Running' AND ${onTaskQueue(taskQueue)}`;
  const ids = new Set(Object.entries(where).map(([key, value]) => correlationQueueId(key, value)));
  let listed = 0;
  for await (const { workflowId } of client.workflow.list({ query })) {
    if (mayHold(workflowId, where)) ids.add(workflowId);
    listed += 1;
    if (ids.size > MAX_QUEUES || listed > MAX_LISTED)
      return { ids: [...ids].slice(0, MAX_QUEUES), isAll: false };
  }
  return { ids: [...ids], isAll: true };
}
