// What became of the events that a process has sent by business data, as far as their queues still know it: how many processes have
// received each, and whether it waits for others.
import type { QueuedEvent } from '../../contract/flows/correlation.ts';
import { queuedEventsFor } from '../../shared/routing/correlation-queues.ts';
import type { TemporalContext } from '../temporal-context.ts';
import type { TimelineEntry } from './timeline.ts';
import type { TimelineData } from './timeline-data.ts';

type Sent = Extract<TimelineData, { type: 'sent' }>;

// Each is a query: of the newest keys.
const MAX_ASKED = 20;

export async function withReceivers(
  client: TemporalContext['client'],
  entries: readonly TimelineEntry[],
): Promise<TimelineEntry[]> {
  const sent = entries.flatMap(({ data }) => (data.type === 'sent' ? [data.where] : []));
  const keys = [...new Map(sent.map((where) => [JSON.stringify(where), where])).values()];
  const asked = keys.slice(-MAX_ASKED).map((where) => queuedEventsFor(client, where));
  const queued = (await Promise.all(asked)).flat();
  const byId = new Map(queued.map((each) => [each.id, each]));
  return entries.map((entry) => {
    const known = entry.data.type === 'sent' ? byId.get(entry.data.id) : undefined;
    return known ? { ...entry, data: received(entry.data as Sent, known) } : entry;
  });
}

function received(data: Sent, { processes, until }: QueuedEvent): Sent {
  const isWaiting = Date.parse(until) > Date.now();
  return { ...data, until, processes, ...(isWaiting && { isWaiting }) };
}
