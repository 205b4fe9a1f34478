// @module-tag invariant
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// assumptions: Connectors, Undoing steps
// The worker's process is killed while a process does two steps, is cancelled, and undoes them: once at every event of its
// history. Each step is undone once, the last one first.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import type { FlowFileProgress } from '../../../flow-files/machine/progress.ts';
import { killedWorker } from '../../driver/killed-worker.ts';
import { eventsOf } from '../../support/history.ts';
import { newTaskQueue, temporalClient } from '../../support/temporal.ts';
import { uniqueName } from '../../workflows/flow-files/running-files.ts';

const worker = join(import.meta.dirname, 'migrating-worker.ts');
const workflows = join(import.meta.dirname, '../../../workflows/index.ts');
/** Worker processes that a machine has memory for. */
const AT_A_TIME = 4;
// A killed worker's tasks are another's after their time-outs: 30 s for a call that beat its heart.
const patience = { timeout: 300_000, interval: 5 };

const step = (name: string, next: string) => `
  ${name}:
    on: { cancelRequested: undoing }
    invoke:
      id: ${name}
      src: call
      input: { connector: shop, method: POST, path: /orders, body: { of: "\${input.order}", what: ${name} }, keep: "\${body.number}" }
      undo:
        src: call
        input: { connector: shop, method: POST, path: /cancellations, body: { of: "\${input.order}", what: "${name} \${event.output}" } }
      onDone: ${next}
      onError: over`;

const file = (name: string) => `
name: ${name}
meaning: Orders two things, and cancels the orders when it is cancelled.
input: { type: object, required: [order], properties: { order: { type: string } } }
initial: first
states:${step('first', 'second')}${step('second', 'waiting')}
  waiting: { on: { cancelRequested: undoing } }
  undoing: { invoke: { id: undo, src: undo, onDone: over } }
  over: { type: final }
`;

interface Request {
  readonly path: string;
  readonly of: string;
  readonly what: string;
}

/** It knows the keys of its requests: what a key has asked for is done once. */
async function startShop() {
  const byKey = new Map<string, Request>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { url: path = '' } = request;
      const key = String(request.headers['idempotency-key']);
      if (!byKey.has(key)) byKey.set(key, { path, ...JSON.parse(body) });
      // Time for the worker to be killed when the shop has done it, and the worker does not know.
      setTimeout(() => {
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ number: `of ${byKey.get(key)?.what}` }));
      }, 300);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What was done for an order, in its order. */
    done: (order: string) =>
      [...byKey.values()].filter(({ of }) => of === order).map(({ path, what }) => `${path} ${what}`),
    close: () => server.close(),
  };
}

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

type Moment = (handle: WorkflowHandle, order: string) => Promise<boolean>;

/** Or when the process has ended. */
const atEvent =
  (event: number): Moment =>
  async (handle) => {
    const { historyLength, status } = await handle.describe();
    return historyLength >= event || status.name !== 'RUNNING';
  };

/** The shop has cancelled the last order, and has not answered yet. */
const whileUndoing: Moment = async (_, order) => shop.done(order).length > 2;

/** Gives how many events its history had in the end. */
async function undoKilled(hasCome: Moment): Promise<number> {
  const client = await temporalClient();
  const taskQueue = newTaskQueue();
  const variables = { SHOP_ADDRESS: shop.address };
  await using working = await killedWorker(workflows, taskQueue, { program: worker, variables });
  const name = uniqueName('Ordering');
  await publishFiles(client, [{ path: 'ordering.yaml', text: file(name) }], taskQueue);
  const order = randomUUID();
  const handle = await client.workflow.start(name, {
    ...{ taskQueue, workflowId: `${name}-${order}`, args: [{ request: { order } }] },
    workflowTaskTimeout: '2 s',
  });
  const killing = (async () => {
    await vi.waitUntil(() => hasCome(handle, order), patience);
    await working.kill();
  })();
  // It is cancelled when it knows of both, whatever becomes of the worker; without one nobody answers.
  await vi.waitUntil(async () => {
    const seen = await handle.query<FlowFileProgress>('progress').catch(() => undefined);
    return seen?.state === 'waiting';
  }, patience);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  await killing;
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  expect(shop.done(order)).toEqual([
    '/orders first',
    '/orders second',
    '/cancellations second of second',
    '/cancellations first of first',
  ]);
  const events = await eventsOf(handle);
  expect(events).not.toContain('WORKFLOW_TASK_FAILED');
  return events.length;
}

test('a worker killed at any event changes nothing: each step is undone once, the last one first', async () => {
  await undoKilled(whileUndoing);
  const last = await undoKilled(atEvent(Number.POSITIVE_INFINITY));
  const events = Array.from({ length: last }, (_, index) => index + 1);
  const killAtNext = async (): Promise<void> => {
    for (let event = events.shift(); event !== undefined; event = events.shift())
      await undoKilled(atEvent(event));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, killAtNext));
});
