// A process of a flow file on a Temporal that cannot read its payloads.
import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import { fetchFlowDefinition } from '../../../activities/flow-files/call-locker-api.ts';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { publishedFlows } from '../../../client/flow-files/published-flows.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { backtest } from '../../../flows/language/simulation/backtest.ts';
import { recordedProcess } from '../../../processes/views/backtest/recorded-process.ts';
import { startTemporalServer } from '../../../scripts/temporal/server.ts';
import { dataConverter } from '../../../shared/codec/data-converter.ts';
import { readPayloadKeys } from '../../../shared/codec/encrypting-codec.ts';
import { bundleOf } from '../../support/bundles.ts';
import { newTaskQueue, startWorker, temporalClient } from '../../support/temporal.ts';
import { uniqueName, untilProgress } from './running-files.ts';

const activities = { fetchFlowDefinition, callLockerApi: async () => ({ items: [] }) };

/** A file that calls the locker API, asks a question and waits for events. */
const multiplying = (name: string) => `
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
      onDone: { target: adding, actions: { type: assign, params: { sum: "\${event.output.count * 10}" } } }
  adding:
    after: { P9D: over }
    on:
      add: { actions: { type: assign, params: { sum: "\${context.sum + event.data * 10}" } } }
      enough: over
  over: { type: final }
output: { sum: "\${context.sum}", version: "\${flow.version}" }
`;

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
  const [published] = await publishFiles(client, [{ path: 'flow.yaml', text: multiplying(name) }], taskQueue);
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
  await Worker.runReplayHistory(
    { workflowBundle: await bundleOf(), ...converting },
    history,
    handle.workflowId,
  );
});
