// The steps of a process as the console keeps them: read once for each length of its history; and why a process cannot be
// stepped through.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import type { ConsoleParts } from '../../../console/console-parts.ts';
import { askedBy } from '../../../console/heavy/callers-in-turn.ts';
import { type Replayed, Replayer } from '../../../console/process/replayer.ts';
import { MAX_PER_CALLER, Replays } from '../../../console/process/replays.ts';
import type { TracedStatus } from '../../../engine/temporal/trace.ts';
import { bundleOf } from '../../support/bundles.ts';
import { connectClient } from '../../support/temporal.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';

const [recorded] = (await recordings()).filter(({ name }) => name === 'Issue@1/done');
const history = recorded ? historyOf(recorded.recording) : { events: [] };

const step: TracedStatus = {
  event: 'start',
  at: 0,
  historyLength: 3,
  taken: [],
  position: { active: ['', 'booking'], next: [], timers: [] },
  awaited: { timers: [], calls: [] },
  progress: {
    shipments: {},
    unassigned: [],
    ledger: [],
    deadlines: [],
    itemsLeft: [],
    resolutions: [],
    phase: 'Open',
  },
};

function replaysOf(
  replayed: Replayed | (() => Promise<Replayed>),
  events: readonly unknown[] = history.events,
) {
  const asked: string[] = [];
  const about = { historyLength: events.length };
  const handle = {
    describe: async () => ({ runId: 'run-1', raw: { workflowExecutionInfo: { ...about } } }),
    fetchHistory: async () => ({ events }),
  };
  const loadedDataConverter = { payloadCodecs: [], payloadConverter: defaultPayloadConverter };
  const client = { workflow: { getHandle: () => handle }, options: { loadedDataConverter } };
  const replayer = {
    replayed: async ({ runId }: { runId: string }) => {
      asked.push(runId);
      return typeof replayed === 'function' ? await replayed() : replayed;
    },
  };
  const parts = { client: client as unknown as Client } as ConsoleParts;
  return { replays: new Replays(parts, replayer as unknown as Replayer), asked, about };
}

const WITHIN = { timeout: 60_000, interval: 10 };

test('callers take turns, and one that asks for too many is refused', async () => {
  const waiting: (() => void)[] = [];
  const replayed = async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { error: null, steps: [step], length: 1 };
  };
  const { replays } = replaysOf(replayed);
  const done: string[] = [];
  const asks = (caller: string, key: string) =>
    askedBy
      .run({ caller, isGone: () => false }, () => replays.steps(key))
      .then(
        () => done.push(key),
        ({ status }) => done.push(`${key}: ${status}`),
      );
  const greedy = Array.from({ length: MAX_PER_CALLER + 2 }, (_, index) => asks('greedy', `greedy-${index}`));
  await vi.waitUntil(() => done.length === 1 && waiting.length === 1, WITHIN);
  expect(done).toEqual([`greedy-${MAX_PER_CALLER + 1}: 429`]);
  const modest = asks('modest', 'modest');
  while (done.length < greedy.length + 1) {
    await vi.waitUntil(() => waiting.length > 0, WITHIN);
    const before = done.length;
    waiting.shift()?.();
    await vi.waitUntil(() => done.length > before, WITHIN);
  }
  await Promise.all([...greedy, modest]);
  expect(done.slice(1, 3)).toEqual(['greedy-0', 'modest']);
});

test('a history is replayed once, and again when it has grown', async () => {
  const { replays, asked, about } = replaysOf({ error: null, steps: [step], length: 1 });
  const [one, other] = await Promise.all([replays.steps('order-1'), replays.steps('order-1')]);
  expect(one).toBe(other);
  expect(one).toMatchObject({ why: null, runs: 1, steps: [{ number: 0, active: ['', 'booking'] }] });
  expect(await replays.status('order-1', 0)).toMatchObject({ number: 0, lockers: [] });
  expect(asked).toHaveLength(1);
  about.historyLength += 1;
  await replays.steps('order-1');
  expect(asked).toHaveLength(2);
});

test('a step that there is not is refused, with those that there are', async () => {
  const { replays } = replaysOf({ error: null, steps: [step, step], length: 1 });
  await expect(replays.status('order-1', 2)).rejects.toMatchObject({
    status: 404,
    message: 'order-1 has no step 2; expected 0 to 1.',
  });
});

test('where the workflows would decide otherwise now, it says so and tells no step', async () => {
  const { replays } = replaysOf({
    error: '[TMPRL1100] Nondeterminism error\nat …',
    steps: [step],
    length: 1,
  });
  const { steps, why } = await replays.steps('order-1');
  expect(steps).toBeNull();
  expect(why).toMatch(
    /cannot be stepped through: .* workflows of this console decide differently .*\(\[TMPRL1100\] Nondeterminism error\)/,
  );
});

test('a process that a changed flow has run cannot be stepped through, and says so', async () => {
  const temporal = await connectClient();
  onTestFinished(temporal.close);
  const { workflow, workflowService, options } = temporal.client;
  const key = `changed-${randomUUID()}`;
  const dimension = { width: 1, height: 1, length: 1 };
  const request = { pupUid: 'pup-central', toUserUid: 'user-anna', dimension };
  const handle = await workflow.start('Issue', {
    workflowId: key,
    taskQueue: key,
    args: [{ request: { ...request, allowLargerLockers: true, allowOverflowLockers: false } }],
  });
  // The worker of the changed flow: it waits an hour before it books.
  const turn = async (...commands: proto.temporal.api.command.v1.ICommand[]) => {
    const who = { namespace: options.namespace, identity: 'a changed flow' };
    const { taskToken } = await temporal.client.withDeadline(Date.now() + 60_000, () =>
      workflowService.pollWorkflowTaskQueue({ ...who, taskQueue: { name: key } }),
    );
    await workflowService.respondWorkflowTaskCompleted({ ...who, taskToken, commands });
  };
  await turn({
    commandType: proto.temporal.api.enums.v1.CommandType.COMMAND_TYPE_START_TIMER,
    startTimerCommandAttributes: { timerId: '1', startToFireTimeout: msToTs('1 hour') },
  });
  await handle.signal('changed');
  await turn();
  const { codePath } = await bundleOf();
  const variables = { TEMPORAL_ADDRESS: inject('temporalAddress'), WORKER_WORKFLOW_BUNDLE: codePath };
  const replayer = new Replayer(variables);
  onTestFinished(() => replayer.stop());
  const { steps, why } = await new Replays({ client: temporal.client } as ConsoleParts, replayer).steps(key);
  await handle.terminate();
  expect(steps).toBeNull();
  expect(why).toMatch(
    /cannot be stepped through: .* workflows of this console decide differently .*Nondeterminism error/,
  );
}, 240_000);

test('a workflow without a chart, and a history that is too long, are told too', async () => {
  const none = await replaysOf({ error: null, steps: [], length: 0 }).replays.steps('parked:1');
  expect(none).toMatchObject({ steps: null, why: expect.stringContaining('has no chart') });
  const [first] = history.events;
  const long = replaysOf(
    { error: null, steps: [step], length: 1 },
    Array.from({ length: 30_001 }, () => first),
  );
  expect(await long.replays.steps('order-1')).toMatchObject({
    steps: null,
    why: expect.stringContaining('more than 30000 events'),
  });
  expect(long.asked).toEqual([]);
});

test('what a process says of itself is kept up to a length, of all together', async () => {
  const { replays, asked } = replaysOf({ error: null, steps: [step], length: 20_000_000 });
  for (const key of ['order-1', 'order-2', 'order-3', 'order-3', 'order-2']) await replays.steps(key);
  expect(asked).toHaveLength(3);
  await replays.steps('order-1');
  expect(asked).toHaveLength(4);
  const long = replaysOf({ error: null, steps: [], length: 0, isTooLong: true });
  expect(await long.replays.steps('order-1')).toMatchObject({
    steps: null,
    why: expect.stringContaining('too long to step through'),
  });
});
