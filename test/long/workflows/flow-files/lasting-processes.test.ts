// A process of a flow file needs only its own history and a worker to go on. It does not need the registry, the worker that
// began it, or payloads that Temporal can read.
import { randomBytes, randomUUID } from 'node:crypto';
import { Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fetchFlowDefinition } from '../../../../activities/flow-files/fetch-flow-definition.ts';
import { publishFiles } from '../../../../client/flow-files/publish.ts';
import { publishedFlows } from '../../../../client/flow-files/published-flows.ts';
import { searchAttributes } from '../../../../contract/flows/search-attributes.ts';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import { parsedText } from '../../../../flows/language/reading/yaml.ts';
import { definitionWorkflowId } from '../../../../flows/language/registry.ts';
import { backtest } from '../../../../flows/simulation/backtest.ts';
import { startTemporalServer } from '../../../../local/temporal/server.ts';
import { recordedProcess } from '../../../../processes/views/backtest/recorded-process.ts';
import { dataConverter } from '../../../../shared/codec/data-converter.ts';
import { readPayloadKeys } from '../../../../shared/codec/payload-keys.ts';
import { bundleOf } from '../../../support/bundles.ts';
import { eventsOf } from '../../../support/history.ts';
import { newTaskQueue, startWorker, temporalClient } from '../../../support/temporal.ts';
import { uniqueName, untilProgress } from '../../../workflows/flow-files/running-files.ts';

const activities = { fetchFlowDefinition, callLockerApi: async () => ({ items: [] }) };

/** A file that calls the locker API, asks a question and waits for events. Each version multiplies by another number. */
const multiplying = (name: string, by: number) => `
name: ${name}
meaning: Multiplies what it is told.
context: { sum: 0 }
initial: looking
states:
  looking:
    invoke: { src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: asking }
  asking:
    invoke:
      id: factor
      src: ask
      input: { of: desk, question: "How many of \${input.item}?", fields: { count: { type: number } }, within: P2D }
      onDone: { target: adding, actions: { type: assign, params: { sum: "\${event.output.count * ${by}}" } } }
  adding:
    after: { P9D: over }
    on:
      add: { actions: { type: assign, params: { sum: "\${context.sum + event.data * ${by}}" } } }
      enough: over
  over: { type: final }
output: { sum: "\${context.sum}", version: "\${flow.version}" }
`;

const each = <Item, Result>(items: readonly Item[], does: (item: Item, index: number) => Promise<Result>) =>
  Promise.all(items.map(does));

/** Deletes a definition, as if nobody had ever published it. */
async function forget(client: Client, name: string): Promise<void> {
  const definition = client.workflow.getHandle(definitionWorkflowId(name));
  const { workflowId } = definition;
  await client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
  });
  const isGone = () =>
    definition.describe().then(
      () => false,
      (error) => error instanceof WorkflowNotFoundError,
    );
  await vi.waitUntil(isGone, { timeout: 60_000, interval: 50 });
}

test('processes on two versions go on by other workers, and replay, when their definition is gone', async () => {
  const name = uniqueName('Multiplier');
  const taskQueue = newTaskQueue();
  const client = await temporalClient();
  const start = (): Promise<WorkflowHandle> =>
    client.workflow.start(name, {
      taskQueue,
      workflowId: `${name}-${randomUUID()}`,
      args: [{ request: { item: 'laptops' } }],
    });
  const first = await startWorker({ taskQueue, activities });
  const processes: { readonly handle: WorkflowHandle; readonly version: number }[] = [];
  for (const version of [1, 2]) {
    await publishFiles(client, [{ path: 'flow.yaml', text: multiplying(name, version * 10) }], taskQueue);
    const handles = await each([1, 2, 3, 4], start);
    await each(handles, (handle) => untilProgress(handle, ({ questions }) => questions.length === 1));
    processes.push(...handles.map((handle) => ({ handle, version })));
  }
  // Two processes of each version have their answer when the worker stops.
  await each(processes, ({ handle }, index) =>
    index % 2 === 0
      ? handle.executeUpdate('answer', { args: [{ values: { count: 1 }, by: 'anna' }] })
      : Promise.resolve(),
  );
  await first.stop();
  await each(processes, ({ handle }) => handle.signal('event', { type: 'add', id: 'while-away', data: 2 }));
  await forget(client, name);

  const second = await startWorker({ taskQueue, activities });
  await each(processes, ({ handle, version }) =>
    untilProgress(handle, (progress) => progress.version === version),
  );
  await second.stop();
  await startWorker({ taskQueue, activities });
  await each(processes, async ({ handle }, index) => {
    if (index % 2 === 1)
      await handle.executeUpdate('answer', { args: [{ values: { count: 3 }, by: 'bram' }] });
    await handle.signal('event', { type: 'enough' });
  });
  // A process without an answer did not take the event: it did not listen for it yet.
  expect(await each(processes, ({ handle }) => handle.result())).toEqual(
    processes.map(({ version }) => ({ version, sum: version * 10 * 3 })),
  );
  for (const { handle } of processes) {
    expect(await eventsOf(handle)).not.toContain('WORKFLOW_TASK_FAILED');
    await Worker.runReplayHistory(
      { workflowBundle: await bundleOf() },
      await handle.fetchHistory(),
      handle.workflowId,
    );
  }
});

test('with encrypted payloads a process is published, started, answered and told of, and its history holds nothing of it', async () => {
  const name = uniqueName('Multiplier');
  const taskQueue = newTaskQueue();
  const keys = readPayloadKeys(`2026:${randomBytes(32).toString('base64')}`);
  const converting = { dataConverter: dataConverter(keys) };
  // This test has its own server: other tests have no keys, and could not read the registry.
  const { address, stop } = await startTemporalServer({ searchAttributes });
  onTestFinished(stop);
  const plain = await temporalClient(address);
  const client = new Client({ connection: plain.connection, ...converting });
  await startWorker({ taskQueue, activities, address, ...converting });
  const [published] = await publishFiles(
    client,
    [{ path: 'flow.yaml', text: multiplying(name, 10) }],
    taskQueue,
  );
  expect(published).toMatchObject({ version: 1 });
  await expect(publishedFlows(plain)).rejects.toThrow('set LOCKERFLOW_PAYLOAD_KEYS');
  const handle = await client.workflow.start(name, {
    taskQueue,
    workflowId: `${name}-${randomUUID()}`,
    args: [{ request: { item: 'hearing-aid-of-mr-jansen' } }],
  });
  const { questions } = await untilProgress(handle, (progress) => progress.questions.length === 1);
  expect(questions[0]?.question).toBe('How many of hearing-aid-of-mr-jansen?');
  await handle.executeUpdate('answer', { args: [{ values: { count: 1 }, by: 'anna-de-vries' }] });
  await handle.signal('event', { type: 'add', data: 7 });
  await handle.signal('event', { type: 'enough' });
  expect(await handle.result()).toEqual({ sum: 80, version: 1 });
  const history = await handle.fetchHistory();
  const text = Buffer.from(history.events?.map((event) => JSON.stringify(event)).join('') ?? '').toString();
  const payloads = [...text.matchAll(/"data":"([^"]*)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString('latin1'),
  );
  expect(payloads.length).toBeGreaterThan(5);
  for (const secret of ['jansen', 'anna-de-vries', 'Multiplies what'])
    expect(payloads.some((payload) => payload.includes(secret))).toBe(false);
  const recorded = await recordedProcess(client, handle.workflowId);
  expect(backtest(recorded, recorded.file).result).toBe('same');
  const richer = multiplying(name, 10).replace(
    'enough: over',
    `enough: { guard: "\${context.sum > 80}", target: over }`,
  );
  const changed = backtest(recorded, parsedText(richer).data as unknown as FlowFile);
  expect(changed).toMatchObject({ result: 'decidesOtherwise', divergence: { before: { event: 'enough' } } });
  await Worker.runReplayHistory(
    { workflowBundle: await bundleOf(), ...converting },
    history,
    handle.workflowId,
  );
});
