// A process continues as a new run whatever is open: its children go on meanwhile, tell it what it listens for and how they end,
// and end with it. The worker is killed in between. What takes several runs is in the long suite.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { CancelledFailure, defaultPayloadConverter, type Payload } from '@temporalio/common';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Continued } from '../../engine/continued.ts';
import { CHILD_EVENT } from '../../engine/temporal/family.ts';
import type { TemporalServer } from '../../local/temporal/server.ts';
import { eventsOf } from '../support/history.ts';
import { newTaskQueue, startServerOfShortRuns, startWorker, temporalClient } from '../support/temporal.ts';
import type { Progress } from './fixtures/machine.ts';
import { killedWorker } from './killed-worker.ts';

const workflows = fileURLToPath(new URL('fixtures/all-machines.ts', import.meta.url));
const patience = { timeout: 60_000, interval: 30 };
let server: Pick<TemporalServer, 'address'>;

async function begun(type: string, taskQueue = newTaskQueue(), ...args: unknown[]): Promise<WorkflowHandle> {
  const client = await temporalClient(server.address);
  const workflowId = `${type}-${randomUUID()}`;
  await client.workflow.start(type, { taskQueue, workflowId, args, workflowTaskTimeout: '2 s' });
  // It follows the process into its next runs.
  return client.workflow.getHandle(workflowId);
}

const runOf = async (handle: WorkflowHandle) => (await handle.describe()).runId;

async function childOf(handle: WorkflowHandle): Promise<WorkflowHandle> {
  const client = await temporalClient(server.address);
  return await vi.waitUntil(async () => {
    const [child] = (await handle.describe()).raw.pendingChildren ?? [];
    return child?.runId ? client.workflow.getHandle(child.workflowId ?? '') : false;
  }, patience);
}

const heardBy = async (handle: WorkflowHandle): Promise<readonly number[]> => {
  const asked = handle.query<Progress, [object]>('progress', { context: true }).catch(() => undefined);
  return ((await asked)?.context as { heard: number[] } | undefined)?.heard ?? [];
};

/** Adds one after the other, until the process has continued as a new run; gives their number. */
async function untilContinued(handle: WorkflowHandle, sum = 0): Promise<number> {
  const runId = await runOf(handle);
  let now = sum;
  while ((await runOf(handle)) === runId) {
    await handle.signal('add', { by: 1 });
    now += 1;
    await vi.waitUntil(async () => (await heardBy(handle)).at(-1) === now, patience);
  }
  return now;
}

/** Begins on a worker of its own. */
async function running(type: string, taskQueue = newTaskQueue()): Promise<WorkflowHandle> {
  await startWorker({ workflows, taskQueue, address: server.address });
  return await begun(type, taskQueue);
}

async function carriedInto(handle: WorkflowHandle): Promise<Continued> {
  const { events } = await handle.fetchHistory();
  const { input } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  return defaultPayloadConverter.fromPayload(input?.payloads?.[1] as Payload);
}
/** What holds of every process. */
function inAnyRun(hasShortRuns: boolean): void {
  test('a parent that ends while its child is open cancels the child', async () => {
    const handle = await running('Leaving');
    const child = await childOf(handle);
    await handle.signal('leave');
    expect(await handle.result()).toEqual([]);
    await expect(child.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
  });

  test('a parent that fails while its child is open cancels the child', async () => {
    const handle = await running('Breaking');
    const child = await childOf(handle);
    await handle.signal('bell');
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'Broken' } });
    await expect(child.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
  });

  test('a message that only pretends to be of a child is dropped', async () => {
    const handle = await running('Listening');
    await childOf(handle);
    const forged = [
      { type: 'counter.sum', sum: 1_000 },
      { token: 'guessed', event: { type: 'sum', sum: 1_000 }, version: 1 },
      { token: 'guessed', end: { result: 1_000 } },
      null,
    ];
    for (const message of forged) await handle.signal(CHILD_EVENT, message);
    await handle.signal('counter.sum', { sum: 1_000 }).catch(() => undefined);
    await handle.signal('add', { by: 1 });
    await vi.waitUntil(async () => (await heardBy(handle)).includes(1), patience);
    await handle.signal('enough');
    expect(await handle.result()).toEqual([1]);
  });

  test('signals that come before a worker does are taken in their order, whatever their names', async () => {
    const taskQueue = newTaskQueue();
    const handle = await begun('Counter', taskQueue);
    await handle.signal('unknown');
    for (const by of [1, 10]) await handle.signal('add', { by });
    await handle.signal('enough');
    await handle.signal('add', { by: 100 });
    await startWorker({ workflows, taskQueue, address: server.address });
    expect(await handle.result()).toBe(11);
  });

  test.each([
    ['Listening', [1, 11, 111], 3],
    ['Deaf', [], 0],
  ])(
    '%s: a parent gets the events that it listens for, in order, and no others',
    async (type, heard, sent) => {
      const handle = await running(type);
      for (const by of [1, 10, 100]) await handle.signal('add', { by });
      await handle.signal('enough');
      expect(await handle.result()).toEqual(heard);
      const signals = (await eventsOf(handle)).filter((event) => event === 'WORKFLOW_EXECUTION_SIGNALED');
      if (!hasShortRuns) expect(signals).toHaveLength(4 + sent);
    },
  );
}

describe('of one run', () => {
  beforeAll(() => {
    server = { address: inject('temporalAddress') };
  });

  inAnyRun(false);
});

describe('that continues all the time', { tags: 'long' }, () => {
  beforeAll(async () => {
    const ofShortRuns = await startServerOfShortRuns();
    server = ofShortRuns;
    return () => ofShortRuns.stop();
  });

  inAnyRun(true);

  test('a parent hears its child through several runs, and takes its result, although the worker is killed', {
    timeout: 180_000,
  }, async () => {
    const taskQueue = newTaskQueue();
    await using worker = await killedWorker(workflows, taskQueue, { address: server.address });
    const handle = await begun('Listening', taskQueue);
    const child = await childOf(handle);
    const firstOfChild = await runOf(child);
    let sum = 0;
    const runs = new Set([await runOf(handle)]);
    for (let round = 0; round < 4; round++) {
      const killed = worker.kill();
      sum = await untilContinued(handle, sum);
      await killed;
      runs.add(await runOf(handle));
    }
    expect(runs.size).toBe(5);
    // The child has gone on in runs of its own, and is the one that the first run has started.
    expect(await runOf(child)).not.toBe(firstOfChild);
    expect((await child.describe()).raw.workflowExecutionInfo?.parentExecution?.workflowId).toBe(
      handle.workflowId,
    );
    await Promise.all([worker.kill(), handle.signal('enough')]);
    expect(await handle.result()).toEqual(Array.from({ length: sum }, (_, index) => index + 1));
    expect(await child.result()).toBe(sum);
  });

  test('a child that fails after its parent has continued fails as it would have before', {}, async () => {
    const handle = await running('Listening');
    const child = await childOf(handle);
    await untilContinued(handle);
    await child.signal('add', { by: 'x' });
    await vi.waitUntil(
      async () => (await child.query<Progress>('progress').catch(() => undefined))?.waitingFor.halted,
      patience,
    );
    await child.executeUpdate('giveUp');
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'NotANumber', message: 'x is not a number' },
    });
  });

  test('a continued child does not tell its parent once more what the former run has told', {}, async () => {
    const handle = await running('HearingStates');
    const child = await childOf(handle);
    const runId = await runOf(child);
    let sum = 0;
    const add = async () => {
      await handle.signal('add', { by: 1 });
      sum += 1;
      await vi.waitUntil(async () => (await heardBy(handle)).at(-1) === sum, patience);
    };
    while ((await runOf(child)) === runId) await add();
    await add();
    await handle.signal('enough');
    expect(await handle.result()).toEqual(Array.from({ length: sum + 1 }, (_, index) => index));
  });

  test('a child that ends without a word, as one that is terminated, fails for its parent', {}, async () => {
    const taskQueue = newTaskQueue();
    const handle = await running('Listening', taskQueue);
    const child = await childOf(handle);
    await untilContinued(handle);
    await child.terminate();
    const lost = { cause: { type: 'TerminatedFailure', message: expect.stringContaining('was terminated') } };
    // Another process takes up the same child; its next look at it is due.
    const { children, ...carried } = await carriedInto(handle);
    const looking = await begun('Listening', taskQueue, null, {
      ...carried,
      children: { ...children, lookAt: 0 },
    });
    await expect(looking.result()).rejects.toMatchObject(lost);
    // A message to the child shows it too.
    await handle.signal('add', { by: 1 });
    await expect(handle.result()).rejects.toMatchObject(lost);
  });
});
