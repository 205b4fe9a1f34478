// @module-tag invariant
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/flow-files.md: Steps that are undone
// The worker's process is killed while a process does two steps, is cancelled, and undoes them: once at every event of its
// history. Each step is undone once, the last one first.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FlowFileProgress } from '../../../../../flows/language/machine/progress.ts';
import { atEachEvent, hasEvent } from '../../../../proofs/killed/at-each-event.ts';
import { killedProcess } from '../../../../proofs/killed/killed-process.ts';
import { json, startTestServer } from '../../../../shared/locker-api/test-server.ts';
import { eventsOf } from '../../../../support/history.ts';

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
  const server = await startTestServer(async (response, request) => {
    const { path, body } = request;
    const key = String(request.headers['idempotency-key']);
    if (!byKey.has(key)) byKey.set(key, { path, ...JSON.parse(body) });
    // Time for the worker to be killed when the shop has done it, and the worker does not know.
    await delay(300);
    await json(201, { number: `of ${byKey.get(key)?.what}` })(response, request);
  });
  return {
    address: server.url,
    close: () => server[Symbol.asyncDispose](),
    /** What was done for an order, in its order. */
    done: (order: string) =>
      [...byKey.values()].filter(({ of }) => of === order).map(({ path, what }) => `${path} ${what}`),
  };
}

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

type Moment = (handle: WorkflowHandle, order: string) => Promise<boolean>;

/** The shop has cancelled the last order, and has not answered yet. */
const whileUndoing: Moment = async (_, order) => shop.done(order).length > 2;

/** Gives how many events its history had in the end. */
async function undoKilled(hasCome: Moment): Promise<number> {
  await using working = await killedProcess('Ordering', file, { SHOP_ADDRESS: shop.address });
  const { client, taskQueue, name } = working;
  const order = randomUUID();
  const handle = await client.workflow.start(name, {
    taskQueue,
    workflowId: `${name}-${order}`,
    args: [{ request: { order } }],
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
  await atEachEvent(AT_A_TIME, (event) => undoKilled((handle) => hasEvent(handle, event)));
});
