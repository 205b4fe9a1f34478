// The queues of events by correlation, for all who send events and for the processes that listen. Each signal starts the queue
// if it is not there: whoever gets an answer knows that the message is not lost, whether a worker runs or not.

import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import {
  type CorrelatedEvent,
  type CorrelationKeys,
  type EventOutlook,
  type Listening,
  type ListeningProcess,
  type QueuedEvent,
  type QueuedEvents,
  queueQueries,
  queueSignals,
} from '../../contract/flows/correlation.ts';
import { CORRELATION_QUEUE } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { shownAsText } from '../markdown/shown-as-text.ts';
import { readable } from './keep-unmatched.ts';

export const correlationQueueId = (key: string, value: string): string =>
  `${internalIds.correlation}${readable(`${key}=${value}`)}`;

/** In the queue of the first of its keys: whoever matches listens there too. */
export async function sendCorrelated(
  client: Client,
  taskQueue: string,
  event: CorrelatedEvent,
): Promise<void> {
  await signalQueue(client, taskQueue, queueOf(event), {
    signal: queueSignals.event,
    signalArgs: [event],
  });
}

/** Where an event with these keys is. */
const queueIdFor = (event: Pick<CorrelatedEvent, 'where'>): string => correlationQueueId(...queueOf(event));

function queueOf({ where }: Pick<CorrelatedEvent, 'where'>): readonly [string, string] {
  const [first] = sorted(where);
  if (!first) throw new TypeError('an event by correlation needs a key');
  return first;
}

const sorted = (keys: CorrelationKeys) =>
  Object.entries(keys).sort(([one], [other]) => (one < other ? -1 : 1));

/** Whether the queue can hold events with these keys: it is that of the first one, or of a key that sorts before it. */
export function mayHold(queueId: string, where: CorrelationKeys): boolean {
  const [first] = sorted(where);
  if (!first || queueId === correlationQueueId(...first)) return true;
  const [key = '', value] = queueId.slice(internalIds.correlation.length).split('=', 2);
  // A hashed id does not show its key.
  return value === undefined || key < first[0];
}

// As long as a worker takes that has the queue in its memory.
const ANSWER_WITHIN_MS = 2_000;

/**
 * How many processes the queue knows that have the keys and listen for the type, and whether it knows the id. Null: nobody answers;
 * what is asked is only told, so the reason does not matter.
 */
export async function outlookOf(
  client: Client,
  { type, where, id }: Pick<CorrelatedEvent, 'type' | 'where'> & { readonly id?: string },
): Promise<EventOutlook | null> {
  const queue = client.workflow.getHandle(queueIdFor({ where }));
  const ask = () => queue.query<EventOutlook, [object]>(queueQueries.listening, { type, where, id });
  try {
    return await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, ask);
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? { processes: 0, isRepeated: false } : null;
  }
}

/**
 * The events with these keys that a queue keeps, also those that processes have received, until a repetition counts as a new event. A
 * queue that does not exist keeps none.
 */
export async function queuedEvents(
  client: Client,
  queueId: string,
  where: CorrelationKeys,
): Promise<QueuedEvents> {
  const queue = client.workflow.getHandle(queueId);
  try {
    return await queue.query<QueuedEvents, [CorrelationKeys]>(queueQueries.queued, where);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { events: [], isComplete: true };
    throw error;
  }
}

/** The events with these keys that are kept. None if nobody answers: what is asked is only told. */
export async function queuedEventsFor(
  client: Client,
  where: CorrelationKeys,
): Promise<readonly QueuedEvent[]> {
  const ask = () => queuedEvents(client, queueIdFor({ where }), where);
  try {
    const { events } = await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, ask);
    return events;
  } catch {
    return [];
  }
}

/** At the queue of each of its keys. */
export async function listenAt(
  client: Client,
  taskQueue: string,
  process: ListeningProcess,
  listening: Listening,
): Promise<void> {
  for (const entry of Object.entries(listening.keys))
    await signalQueue(client, taskQueue, entry, {
      signal: queueSignals.listen,
      signalArgs: [process, listening],
    });
}

/** A queue that has ended knows of no process. */
export async function leave(client: Client, process: ListeningProcess, keys: CorrelationKeys): Promise<void> {
  for (const [key, value] of Object.entries(keys))
    try {
      await client.workflow.getHandle(correlationQueueId(key, value)).signal(queueSignals.leave, process);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
}

async function signalQueue(
  client: Client,
  taskQueue: string,
  [key, value]: readonly [string, string],
  sent: { readonly signal: string; readonly signalArgs: unknown[] },
): Promise<void> {
  await client.workflow.signalWithStart(CORRELATION_QUEUE, {
    workflowId: correlationQueueId(key, value),
    taskQueue,
    args: [],
    ...sent,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary: `Events for ${shownAsText(key)}`,
  });
}

/**
 * Null only asks whether it is open. False: that process has ended, whatever process has its key now.
 */
export async function handTo(
  client: Client,
  { workflowId, firstRunId }: ListeningProcess,
  event: object | null,
): Promise<boolean> {
  for (;;) {
    const runId = await openRun(client, workflowId, firstRunId);
    if (runId === undefined) return false;
    if (event === null) return true;
    try {
      // This run and no other: a later process under the same key has not asked for the event.
      await client.workflow.getHandle(workflowId, runId).signal('event', event);
      return true;
    } catch (error) {
      // It has ended meanwhile, or continues as a new run.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

async function openRun(client: Client, workflowId: string, firstRunId: string): Promise<string | undefined> {
  try {
    const { status, runId, raw } = await client.workflow.getHandle(workflowId).describe();
    const isSame = raw.workflowExecutionInfo?.firstRunId === firstRunId;
    return status.name === 'RUNNING' && isSame ? runId : undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
