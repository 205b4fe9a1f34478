// The histories of a process, from its first run to its last.

import type { Client } from '@temporalio/client';
import { FlowNotFound } from '../../client/flow-errors.ts';
import { grpcCodes, grpcFailureOf } from '../../client/grpc-failure.ts';
import { decoded } from '../../client/started-with.ts';
import type { Decode, HistoryEvent } from './timeline.ts';

/** Throws FlowNotFound. */
export async function runsOf(client: Client, workflowId: string): Promise<HistoryEvent[][]> {
  const runs: HistoryEvent[][] = [];
  let runId: string | undefined;
  do {
    const { events } = await client.workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch((cause: unknown) => {
        if (grpcFailureOf(cause)?.code !== grpcCodes.notFound) throw cause;
        throw new FlowNotFound(workflowId, { cause });
      });
    runs.unshift(events ?? []);
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  const decode = decoderOf(client);
  for (const event of runs.flat()) await decodeFailures(event, decode);
  return runs;
}

interface Failure {
  message?: string | null;
  readonly encodedAttributes?: Parameters<Decode>[0];
  readonly cause?: Failure | null;
}

/** With encrypted payloads, the message of a failure is a payload too. */
async function decodeFailures(event: HistoryEvent, decode: Decode): Promise<void> {
  for (const attributes of Object.values(event)) {
    if (typeof attributes !== 'object' || attributes === null || !('failure' in attributes)) continue;
    const failure: Failure | null | undefined = attributes.failure;
    await decodeFailure(failure, decode);
  }
}

export async function decodeFailure(outermost: Failure | null | undefined, decode: Decode): Promise<void> {
  for (let failure = outermost; failure; failure = failure.cause) {
    const decoded = await decode(failure.encodedAttributes);
    if (typeof decoded === 'object' && decoded !== null && 'message' in decoded)
      failure.message = String(decoded.message);
  }
}

export const decoderOf =
  (client: Client): Decode =>
  async (payload) =>
    (await decoded(client, payload)) ?? null;
