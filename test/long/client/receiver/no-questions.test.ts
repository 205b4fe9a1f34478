// A storm of callbacks asks nothing of Temporal's visibility store: a server allows only few questions a second, and what is
// above that is refused, to all clients of the namespace alike. Real calls are counted.
import { randomUUID } from 'node:crypto';
import {
  Client,
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Received } from '../../../../client/receiver/receive-callback.ts';
import { startReceiver } from '../../../../client/receiver/server.ts';
import { readReceiverSettings } from '../../../../client/receiver/settings.ts';
import { searchAttributes } from '../../../../contract/flows/search-attributes.ts';
import { startTemporalServer, type TemporalServer } from '../../../../local/temporal/server.ts';
import { bodyOf, post, type Sent, signed } from '../../../client/receiver/callbacks-sent.ts';
import { CALLBACK_KEY } from '../../../client/receiver/flows-and-receiver.ts';
import { eventsOf } from '../../../support/history.ts';
import { connectClient, type RunningClient } from '../../../support/temporal.ts';

const ALLOWED_PER_SECOND = 8;
const FLOWS = 120;
const AT_ONCE = 8;
// gRPC's number of it.
const RESOURCE_EXHAUSTED = 8;

let temporal: TemporalServer;
let outside: RunningClient;

beforeAll(async () => {
  temporal = await startTemporalServer({
    searchAttributes,
    dynamicConfiguration: { 'frontend.namespaceRPS.visibility': String(ALLOWED_PER_SECOND) },
  });
  outside = await connectClient(temporal.address);
});
afterAll(async () => {
  await outside.close();
  await temporal.stop();
});

interface Flow {
  readonly workflowId: string;
  readonly shipmentUid: string;
}

/** Open, and all of them seen by whoever asks. */
async function openFlows(count = FLOWS): Promise<Flow[]> {
  const { workflow } = outside.client;
  const caseNo = randomUUID();
  const newFlow = () => ({ workflowId: randomUUID(), shipmentUid: randomUUID() });
  const flows = Array.from({ length: count }, newFlow);
  for (const { workflowId, shipmentUid } of flows)
    await workflow.start('Issue', {
      workflowId,
      taskQueue: 'nobody polls it',
      searchAttributes: {
        LockerShipmentUids: [shipmentUid],
        LockerCase: [caseNo],
      },
    });
  const areSeen = async () => (await workflow.count(`LockerCase = '${caseNo}'`)).count === count;
  await vi.waitUntil(areSeen, { timeout: 60_000, interval: 1_000 });
  return flows;
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

/** A receiver whose calls of Temporal are counted, those that are made again too. Closed with the test. */
async function countedReceiver() {
  const counted = { url: '', received: [] as Received[], calls: 0, described: 0, refused: [] as string[] };
  const options = defaultGrpcRetryOptions();
  const retrying = makeGrpcRetryInterceptor({
    ...options,
    retryableDecider: (attempt, status) => {
      if (status.code === RESOURCE_EXHAUSTED) counted.refused.push(status.details);
      return options.retryableDecider(attempt, status);
    },
  });
  const counting: Interceptor = (call, next) => {
    if (call.method_definition.path.endsWith('/ListWorkflowExecutions')) counted.calls += 1;
    if (call.method_definition.path.endsWith('/DescribeWorkflowExecution')) counted.described += 1;
    return next(call) as ReturnType<Interceptor>;
  };
  const connection = await Connection.connect({
    address: temporal.address,
    interceptors: [retrying, counting],
  });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  const settings = {
    CALLBACK_PORT: '0',
    LOCKER_CALLBACK_KEY: CALLBACK_KEY,
  };
  const receiver = await startReceiver(client, {
    ...readReceiverSettings(settings),
    onReceived: (one) => counted.received.push(one),
  });
  onTestFinished(() => receiver.close());
  return Object.assign(counted, { url: receiver.url });
}

async function statuses(url: string, sent: readonly Sent[]): Promise<Set<number>> {
  const all = new Set<number>();
  const left = sent.values();
  const lane = async () => {
    for (const each of left) all.add((await post(url, each)).status);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return all;
}

test.each([
  { words: 'its case number', caseOf: ({ workflowId }: Flow) => workflowId, status: 204 },
  { words: 'its uid alone', caseOf: () => null, status: 202 },
  { words: 'a case number that leads nowhere', caseOf: () => `case ${randomUUID()}`, status: 202 },
])('a storm of callbacks, each with $words, is taken whole, and no question is asked', async (kind) => {
  const flows = await openFlows();
  const receiver = await countedReceiver();
  const sent = (stateCode: string) =>
    flows.map((flow) => {
      const body = bodyOf(flow.shipmentUid, stateCode, { referenceCaseNo: kind.caseOf(flow) });
      return signed(flow.shipmentUid, body);
    });
  expect(await statuses(receiver.url, sent('ReadyForPickup'))).toEqual(new Set([kind.status]));
  const { described } = receiver;
  expect(await statuses(receiver.url, sent('Completed'))).toEqual(new Set([kind.status]));
  expect([receiver.calls, receiver.refused]).toEqual([0, []]);
  if (kind.status === 202) return;
  // Each process was described once, for both of its callbacks.
  expect([described, receiver.described]).toEqual([FLOWS, FLOWS]);
  const taken = receiver.received.map(({ shipmentUid, workflowIds }) => `${shipmentUid} ${workflowIds}`);
  const wanted = flows.map(({ workflowId, shipmentUid }) => `${shipmentUid} ${workflowId}`);
  expect(new Set(taken)).toEqual(new Set(wanted));
  const [{ workflowId } = { workflowId: '' }] = flows;
  const events = await eventsOf(outside.client.workflow.getHandle(workflowId));
  expect(events.filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED')).toHaveLength(2);
});
