// A backtest reads what others have written into the histories of processes: one that cannot be read is told of, and ends nothing.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { defaultFailureConverter, defaultPayloadConverter, type Payload } from '@temporalio/common';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { backtested } from '../../../processes/views/backtest/backtest.ts';
import { recordedProcess } from '../../../processes/views/backtest/recorded-process.ts';
import { runsOf } from '../../../processes/views/history.ts';
import { startFailing, untilFailing } from '../../support/failing-workflows/failing-process.ts';
import { connectClient, newTaskQueue } from '../../support/temporal.ts';
import { runningFiles } from '../../workflows/flow-files/running-files.ts';

const files = runningFiles();
let client: Client;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ client, close } = await connectClient(inject('temporalAddress')));
});
afterAll(() => close());

const file = (name: string) =>
  ({ name, meaning: 'Keeps a parcel.', initial: 'kept', states: { kept: {} } }) as unknown as FlowFile;

const encoded = (encoding: string, data: string): Payload => ({
  metadata: { encoding: Buffer.from(encoding) },
  data: Buffer.from(data),
});
const json = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);

test('processes whose input or messages cannot be read are told of, each with its reason', async () => {
  const name = `Parcel${randomUUID().replaceAll('-', '')}`;
  const start = async (workflowId: string, input: Payload, message?: Payload) => {
    const { namespace } = client.options;
    await client.workflowService.startWorkflowExecution({
      namespace,
      workflowId,
      workflowType: { name },
      taskQueue: { name: newTaskQueue() },
      input: { payloads: [input] },
      requestId: randomUUID(),
    });
    if (!message) return;
    const signal = { namespace, workflowExecution: { workflowId }, signalName: 'event' };
    await client.workflowService.signalWorkflowExecution({ ...signal, input: { payloads: [message] } });
  };
  const started: Record<string, Parameters<typeof start> extends [string, ...infer Rest] ? Rest : never> = {
    'no JSON': [encoded('json/plain', '{')],
    'unknown encoding': [encoded('binary/unknown', 'x')],
    'a message that is no JSON': [json({}), encoded('json/plain', '{')],
    'a new one': [json({})],
  };
  const keys = Object.fromEntries(Object.keys(started).map((what) => [`${what} ${randomUUID()}`, what]));
  for (const [key, what] of Object.entries(keys)) await start(key, ...((started[what] ?? []) as [Payload]));
  const all = await vi.waitUntil(
    async () => {
      const found = await backtested({ client, taskQueue: newTaskQueue() }, file(name), {
        last: 10,
        open: true,
      });
      return found.length === 4 && found;
    },
    { timeout: 60_000, interval: 200 },
  );
  const reasons = Object.fromEntries(all.map(({ key, why }) => [keys[key], why]));
  const notPlayed = /^its history cannot be played: .+/;
  expect(reasons).toEqual({
    'no JSON': expect.stringMatching(notPlayed),
    'unknown encoding': expect.stringMatching(notPlayed),
    'a message that is no JSON': expect.stringMatching(notPlayed),
    'a new one': expect.stringMatching(/^it has no flow file/),
  });
  for (const key of Object.keys(keys)) await client.workflow.getHandle(key).terminate();
});

test('what a worker failed at and what goes by the sandbox’s clock is not played, and each says so', async () => {
  const why = async (workflowId: string, name: string) => {
    const query = `WorkflowId = '${workflowId}'`;
    const [only] = await vi.waitUntil(
      async () => {
        const all = await backtested({ client, taskQueue: files.taskQueue }, file(name), { last: 1, query });
        return all.length > 0 && all;
      },
      { timeout: 60_000, interval: 200 },
    );
    return only?.why;
  };
  const failing = await startFailing(client, 'Issue', `failing-${randomUUID()}`);
  await untilFailing(failing);
  await failing.terminate();
  expect(await why(failing.workflowId, 'Issue')).toBe(
    'a worker failed at it until it was ended from outside: nobody knows what it would have done',
  );
  const name = `Parcel${randomUUID().replaceAll('-', '')}`;
  const { workflowId } = await client.workflow.start(name, {
    ...{ taskQueue: newTaskQueue(), workflowId: `sandbox-${randomUUID()}` },
    args: [{ clock: 'sandbox' }],
  });
  await client.workflow.getHandle(workflowId).terminate();
  expect(await why(workflowId, name)).toBe(
    'it goes by the clock of the sandbox: when that was moved does not stand in its history',
  );
});

/** One run, whose former ones Temporal has deleted. */
const lastRun = {
  events: [
    { eventId: 1, workflowExecutionStartedEventAttributes: { continuedExecutionRunId: 'the former one' } },
  ],
};
const converters = {
  payloadCodecs: [],
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
};
const gone = Object.assign(new Error('workflow execution not found'), {
  code: 5,
  details: 'workflow execution not found',
  metadata: {},
});
const withoutFormerRuns = {
  options: { loadedDataConverter: converters },
  workflow: {
    getHandle: (_: string, runId?: string) => ({
      fetchHistory: async () => {
        if (runId !== undefined) throw gone;
        return lastRun;
      },
    }),
  },
} as unknown as Client;

test('of a process whose first runs are gone the others are read, and it is not played', async () => {
  expect(await runsOf(withoutFormerRuns, 'parcel-1')).toEqual([lastRun.events]);
  await expect(recordedProcess(withoutFormerRuns, 'parcel-1')).rejects.toThrow('its first runs are gone');
});

/** One run, of a worker that took 20 ms to fetch the file. */
const fetching = {
  events: [
    { eventId: 1, workflowExecutionStartedEventAttributes: { workflowType: { name: 'Parcel' } } },
    { eventId: 2, eventTime: { seconds: 100, nanos: 0 }, workflowTaskStartedEventAttributes: {} },
    { eventId: 3, eventTime: { seconds: 101, nanos: 0 }, workflowTaskCompletedEventAttributes: {} },
    {
      eventId: 4,
      eventTime: { seconds: 101, nanos: 0 },
      markerRecordedEventAttributes: {
        details: {
          data: {
            payloads: [
              json({
                activity_type: 'fetchFlowDefinition',
                complete_time: { seconds: 100, nanos: 20_999_999 },
              }),
            ],
          },
          result: { payloads: [json({ file: file('Parcel'), version: 1 })] },
        },
      },
    },
  ],
};

test('a process begins when its file has come: its timers count from there', async () => {
  const getHandle = () => ({ fetchHistory: async () => fetching });
  const fetched = { ...withoutFormerRuns, workflow: { getHandle } } as unknown as Client;
  expect(await recordedProcess(fetched, 'parcel-1')).toMatchObject({ begunAt: 100_020, version: 1 });
});

test('of one that has brought its file, they count from its first task', async () => {
  const [started, task, completed] = fetching.events;
  const { workflowType } = started?.workflowExecutionStartedEventAttributes ?? {};
  const published = { file: file('Parcel'), version: 2 };
  const input = { payloads: [json({}), null, json(published)] };
  const brought = { ...started, workflowExecutionStartedEventAttributes: { workflowType, input } };
  const getHandle = () => ({ fetchHistory: async () => ({ events: [brought, task, completed] }) });
  const client = { ...withoutFormerRuns, workflow: { getHandle } } as unknown as Client;
  expect(await recordedProcess(client, 'parcel-1')).toMatchObject({ begunAt: 100_000, version: 2 });
});
