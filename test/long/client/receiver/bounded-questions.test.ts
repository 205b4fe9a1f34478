// A storm of callbacks asks little of Temporal's visibility store: a server allows only few questions a second, and what is
// above that is refused, to the receiver and to the operators of the same namespace alike. Real calls are counted.
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
import { startTemporalServer, type TemporalServer } from '../../../../scripts/temporal/server.ts';
import { bodyOf, post, type Sent, signed } from '../../../client/receiver/callbacks-sent.ts';
import { CALLBACK_KEY } from '../../../client/receiver/flows-and-receiver.ts';
import { eventsOf } from '../../../support/history.ts';
import { connectClient, type RunningClient } from '../../../support/temporal.ts';

const ALLOWED_PER_SECOND = 8;
const QUESTIONS_PER_SECOND = 4;
const FLOWS = 120;
// So few that what is asked while one question is under way is far from all of them.
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
        LockerBookedAt: [new Date()],
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
  const listing = vi.spyOn(client.workflow, 'list');
  const settings = {
    CALLBACK_PORT: '0',
    LOCKER_CALLBACK_KEY: CALLBACK_KEY,
    CALLBACK_QUESTIONS_PER_SECOND: String(QUESTIONS_PER_SECOND),
  };
  const receiver = await startReceiver(client, {
    ...readReceiverSettings(settings),
    onReceived: (one) => counted.received.push(one),
  });
  onTestFinished(() => receiver.close());
  const queries = () => listing.mock.calls.map(([{ query = '' } = {}]) => query);
  return Object.assign(counted, { url: receiver.url, queries });
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
  { words: 'its case number', caseOf: ({ workflowId }: Flow) => workflowId, asksForEach: false },
  { words: 'its uid alone', caseOf: () => null, asksForEach: true },
  { words: 'a case number that leads nowhere', caseOf: () => `case ${randomUUID()}`, asksForEach: true },
])('a storm of callbacks, each with $words, is taken whole, and no question is refused', async (kind) => {
  const flows = await openFlows();
  const receiver = await countedReceiver();
  const sent = flows.map((flow) => {
    const body = bodyOf(flow.shipmentUid, 'ReadyForPickup', { referenceCaseNo: kind.caseOf(flow) });
    return signed(flow.shipmentUid, body);
  });
  const before = performance.now();
  expect(await statuses(receiver.url, sent)).toEqual(new Set([204]));
  const seconds = (performance.now() - before) / 1_000;
  const taken = receiver.received.map(({ shipmentUid, workflowIds }) => ({ shipmentUid, workflowIds }));
  const wanted = flows.map(({ workflowId, shipmentUid }) => ({ shipmentUid, workflowIds: [workflowId] }));
  expect(new Set(taken)).toEqual(new Set(wanted));
  expect(receiver.refused).toEqual([]);
  expect(receiver.calls).toBeLessThanOrEqual(2 + QUESTIONS_PER_SECOND * seconds);
  // A flow that its case number finds needs no question for its shipment, only now and then one for all that are shared.
  expect(receiver.queries().some((query) => query.includes('LockerShipmentUids'))).toBe(kind.asksForEach);
  const [{ workflowId } = { workflowId: '' }] = flows;
  const events = await eventsOf(outside.client.workflow.getHandle(workflowId));
  expect(events.filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED')).toHaveLength(1);
});

/** Epoch milliseconds: the receiver looks by this query for flows that booked up to then. NaN for any other query. */
const lookedUpTo = (query: string): number =>
  Date.parse(/LockerBookedAt <= '([^']+)'/.exec(query)?.[1] ?? '');

test.each([
  { words: 'its case number', caseOf: ({ workflowId }: Flow) => workflowId },
  { words: 'its uid alone', caseOf: () => null },
])(
  'flows that booked a while ago are known: a callback with $words is not a question at all',
  async ({ caseOf }) => {
    const receiver = await countedReceiver();
    const callbackOf = (flow: Flow) => {
      const body = bodyOf(flow.shipmentUid, 'ReadyForPickup', { referenceCaseNo: caseOf(flow) });
      return signed(flow.shipmentUid, body);
    };
    // By a callback like these, the receiver begins to look for those that will come.
    const [first] = await openFlows(1);
    if (first) await statuses(receiver.url, [callbackOf(first)]);
    const flows = await openFlows();
    const areAsked = () =>
      receiver.queries().some((query) => query.includes(`'${flows.at(-1)?.shipmentUid}'`));
    const bookedBy = Date.now();
    // The second query that goes so far is made when the first has told its flows.
    const looks = () => receiver.queries().filter((query) => lookedUpTo(query) >= bookedBy).length;
    await vi.waitUntil(() => looks() >= 2, { timeout: 60_000, interval: 100 });
    if (caseOf(flows[0] as Flow) === null) await vi.waitUntil(areAsked, { timeout: 60_000 });
    const [described, asked] = [receiver.described, receiver.queries().length];
    expect(await statuses(receiver.url, flows.map(callbackOf))).toEqual(new Set([204]));
    expect(receiver.described).toBe(described);
    const since = receiver.queries().slice(asked);
    expect(since.filter((query) => query.includes('LockerShipmentUids'))).toEqual([]);
    expect(receiver.refused).toEqual([]);
    const taken = new Set(receiver.received.slice(1).flatMap(({ workflowIds }) => workflowIds));
    expect(taken).toEqual(new Set(flows.map(({ workflowId }) => workflowId)));
  },
);
