// The input of a process, read from its history: a memo would be missing for starts with another SDK.
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';

export interface StartedWith {
  readonly workflowType: string;
  readonly input: unknown;
}

/** @param runId the newest run if absent */
export async function startedWith(client: Client, workflowId: string, runId?: string): Promise<StartedWith> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId: runId ?? null },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  if (!started) throw new Error(`the history of ${workflowId} does not begin with its start`);
  return { workflowType: started.workflowType?.name ?? '', input: await inputOf(client, started) };
}

/** @param started of the first event of a history */
export async function inputOf(
  client: Client,
  { input }: { readonly input?: { readonly payloads?: Payload[] | null } | null },
): Promise<unknown> {
  return await decoded(client, input?.payloads?.[0]);
}

/** With the client's data converter, so that encrypted payloads are readable; undefined if there is none. */
export async function decoded(
  client: { readonly options: Pick<Client['options'], 'loadedDataConverter'> },
  payload: Payload | null | undefined,
): Promise<unknown> {
  if (!payload) return undefined;
  const { payloadCodecs, payloadConverter } = client.options.loadedDataConverter;
  let payloads = [payload];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads[0] && payloadConverter.fromPayload(payloads[0]);
}

/** Equal as JSON: the order of names does not matter, an absent field equals null and undefined. */
export function isSameInput(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutEmpty(one), withoutEmpty(other));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(filled.map(([name, item]) => [name, withoutEmpty(item)]));
}
