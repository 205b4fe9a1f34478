// The numbers of all flows, where Temporal's search answers few questions a second, and now and then none: they come, some later.
import { randomUUID } from 'node:crypto';
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { temporal as proto } from '@temporalio/proto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { type FlowFigures, FlowFiguresReader } from '../../../processes/views/overview/flow-figures.ts';
import { OpenProcesses } from '../../../processes/views/overview/open-processes.ts';
import { startTemporalServer, type TemporalServer } from '../../../scripts/temporal/server.ts';
import { bySuite } from '../../support/suite.ts';

const ALLOWED_PER_SECOND = bySuite({ short: 40, long: 8 });
const QUESTIONS_PER_SECOND = ALLOWED_PER_SECOND / 2;
// gRPC's number of it.
const RESOURCE_EXHAUSTED = 8;
const DAY_MS = 86_400_000;
const patience = { timeout: 60_000, interval: 200 };
const taskQueue = 'the test itself completes what it wants completed';

let server: TemporalServer;
let connection: Connection;
let client: Client;
let refused = 0;

beforeAll(async () => {
  server = await startTemporalServer({
    searchAttributes,
    dynamicConfiguration: { 'frontend.namespaceRPS.visibility': String(ALLOWED_PER_SECOND) },
  });
  const options = defaultGrpcRetryOptions();
  const counting = makeGrpcRetryInterceptor({
    ...options,
    retryableDecider: (attempt, status) => {
      if (status.code === RESOURCE_EXHAUSTED) refused += 1;
      return options.retryableDecider(attempt, status);
    },
  });
  connection = await Connection.connect({ address: server.address, interceptors: [counting] });
  client = new Client({ connection });
  await start('Issue', 3);
  await start('Intake', 2);
  const [ended] = await start('Issue', 1);
  await client.workflow.getHandle(ended ?? '').terminate();
  await completeAll(2);
  const isSeen = async () => (await client.workflow.count("ExecutionStatus != 'Running'")).count === 3;
  await vi.waitUntil(isSeen, { timeout: 60_000, interval: 1_000 });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await connection?.close();
  await server?.stop();
});

const start = (flow: string, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const workflowId = randomUUID();
      const searchable = { LockerPhase: ['NeedsPerson'] };
      await client.workflow.start(flow, { workflowId, taskQueue, searchAttributes: searchable });
      return workflowId;
    }),
  );

/** So many of those that were started first. */
async function completeAll(count: number): Promise<void> {
  const { workflowService } = client;
  const { namespace } = client.options;
  const commandType = proto.api.enums.v1.CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION;
  for (let completed = 0; completed < count; completed += 1) {
    const poll = { namespace, taskQueue: { name: taskQueue } };
    const task = await client.withDeadline(Date.now() + 60_000, () =>
      workflowService.pollWorkflowTaskQueue(poll),
    );
    await workflowService.respondWorkflowTaskCompleted({
      namespace,
      taskToken: task.taskToken,
      commands: [{ commandType, completeWorkflowExecutionCommandAttributes: {} }],
    });
  }
}

function newReader(options: { readonly maxListed?: number } = {}): FlowFiguresReader {
  const parts = { client, flows: new LockerFlows(client), taskQueue };
  // Nobody answers what it asks the processes.
  const open = new OpenProcesses(parts, {
    behind: () => Promise.reject(new Error('no worker')),
    isBusy: false,
  });
  return new FlowFiguresReader(parts, open, { questionsPerSecond: QUESTIONS_PER_SECOND, ...options });
}

const read = (reader: FlowFiguresReader) => reader.read(Math.ceil(Date.now() / DAY_MS) * DAY_MS);

/** By flow, when all are known. */
const known = (reader: FlowFiguresReader) =>
  vi.waitUntil(async () => {
    const { items } = await read(reader);
    return items.every(({ isWhole }) => isWhole) && new Map(items.map((each) => [each.flow, each]));
  }, patience);

function expectNumbers(figures: ReadonlyMap<string, FlowFigures>): void {
  const sums = (name: 'open' | 'needsPerson' | 'overdue' | 'failed') =>
    ['Issue', 'Intake'].reduce((sum, flow) => sum + (figures.get(flow)?.[name] ?? 0), 0);
  expect([sums('open'), sums('needsPerson'), sums('overdue'), sums('failed')]).toEqual([3, 3, 0, 1]);
  expect(figures.get('Issue')).toMatchObject({ failed: 1, isQuiet: false });
  const started = (flow: string) => figures.get(flow)?.started;
  const before = Array.from({ length: 13 }, () => 0);
  expect([started('Issue'), started('Intake')]).toEqual([
    [...before, 4],
    [...before, 2],
  ]);
  const completed = ['Issue', 'Intake'].map((flow) => figures.get(flow)?.median?.of ?? 0);
  expect(completed.reduce((sum, each) => sum + each)).toBe(2);
  expect(figures.get('OnboardAccount')).toMatchObject({
    isQuiet: true,
    median: null,
    started: [...before, 0],
  });
}

test.each([
  { words: 'one list has all', maxListed: 1_000 },
  { words: 'they are too many for one list', maxListed: 1 },
])('all numbers are known in the end, and no question is refused, where $words', async ({ maxListed }) => {
  refused = 0;
  expectNumbers(await known(newReader({ maxListed })));
  expect(refused).toBe(0);
});

test('a question that fails leaves the other numbers as they are, and is asked again', async () => {
  const { workflowService } = client;
  const list = workflowService.listWorkflowExecutions.bind(workflowService);
  const failing = new Set<string>();
  vi.spyOn(workflowService, 'listWorkflowExecutions').mockImplementation(((request: { query: string }) => {
    if (failing.has(request.query)) return list(request);
    failing.add(request.query);
    return Promise.reject(new Error('no answer'));
  }) as never);
  const reader = newReader();
  // The list of the flows is the one thing without which there is nothing to show.
  await expect(read(reader)).rejects.toThrow();
  const { items } = await read(reader);
  expect(items.length).toBeGreaterThan(5);
  expectNumbers(await known(reader));
  expect(failing.size).toBeGreaterThan(1);
});
