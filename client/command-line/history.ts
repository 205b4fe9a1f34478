// The histories of a process, from its first run to its last.
import type { Client } from '@temporalio/client';
import { FlowNotFound } from '../flow-errors.ts';
import { grpcCodes, grpcFailureOf } from '../grpc-failure.ts';
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
  return runs;
}

/** By the client's own data converter, so that what a codec has encrypted is read like anything else. */
export function decoderOf(client: Client): Decode {
  const { payloadCodecs, payloadConverter } = client.options.loadedDataConverter;
  return async (payload) => {
    if (!payload) return null;
    let payloads = [payload];
    for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
    const [decoded] = payloads;
    return decoded ? payloadConverter.fromPayload(decoded) : null;
  };
}
