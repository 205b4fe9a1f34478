// The histories of a process, from its first run to its last.

import type { Client } from '@temporalio/client';
import { FlowNotFound } from '../../client/flow-errors.ts';
import { grpcCodes, grpcFailureOf } from '../../client/grpc-failure.ts';
import { decoded } from '../../client/started-with.ts';
import { yieldToEventLoop } from '../../shared/limits/yield-to-event-loop.ts';
import { CommandError } from '../outcome.ts';
import { isoTime } from './found-flows.ts';
import type { Decode, HistoryEvent } from './history-event.ts';

/** Thrown if the histories of all runs of a process are together too long. */
class HistoryTooLong extends CommandError {
  constructor(workflowId: string, most: number) {
    super(
      'refused',
      'HistoryTooLong',
      `The history of ${workflowId} has more than ${most} events. Only up to ${most} can be read at once; Temporal's Web UI shows them all.`,
    );
  }
}

interface RunsWanted {
  /** The last of them; the newest if absent. */
  readonly runId?: string;
  /** ISO 8601 in UTC: runs that ended before are left out. */
  readonly since?: string;
}

/**
 * Those that Temporal still has: it forgets the first runs of a process that goes on as new, by the retention of its namespace.
 * Throws FlowNotFound, and HistoryTooLong.
 * @param most events; a process that goes on as new again and again has any number of them
 */
export async function runsOf(
  client: Client,
  workflowId: string,
  most = Number.POSITIVE_INFINITY,
  { runId: last, since }: RunsWanted = {},
): Promise<HistoryEvent[][]> {
  const runs: HistoryEvent[][] = [];
  let count = 0;
  let runId = last;
  do {
    const history = await client.workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch((cause: unknown) => {
        if (grpcFailureOf(cause)?.code !== grpcCodes.notFound) throw cause;
        if (runs.length > 0) return undefined;
        throw new FlowNotFound(workflowId, { cause });
      });
    if (!history) break;
    const { events } = history;
    runs.unshift(events ?? []);
    count += events?.length ?? 0;
    if (count > most) throw new HistoryTooLong(workflowId, most);
    const [first] = events ?? [];
    if (since !== undefined && (isoTime(first?.eventTime) ?? '') < since) break;
    runId = first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  await decodeFailures(client, runs);
  return runs;
}

interface Failure {
  message?: string | null;
  encodedAttributes?: Parameters<Decode>[0];
  readonly cause?: Failure | null;
}

/** With encrypted payloads, the message of a failure is a payload too: each is put in its place. */
async function decodeFailures(client: Client, runs: readonly (readonly HistoryEvent[])[]): Promise<void> {
  const decode = decoderOf(client);
  const yieldNow = yieldToEventLoop();
  for (const event of runs.flat()) {
    await yieldNow();
    for (const attributes of Object.values(event)) {
      if (typeof attributes !== 'object' || attributes === null || !('failure' in attributes)) continue;
      const failure: Failure | null | undefined = attributes.failure;
      await decodeFailure(failure, decode);
    }
  }
}

export async function decodeFailure(outermost: Failure | null | undefined, decode: Decode): Promise<void> {
  for (let failure = outermost; failure; failure = failure.cause) {
    const decoded = await decode(failure.encodedAttributes);
    if (typeof decoded !== 'object' || decoded === null || !('message' in decoded)) continue;
    failure.message = String(decoded.message);
    failure.encodedAttributes = null;
  }
}

export const decoderOf =
  (client: Client): Decode =>
  async (payload) =>
    (await decoded(client, payload)) ?? null;
