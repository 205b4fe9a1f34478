// Processes of a declared flow go over to another version of its declaration, on a real Temporal: the update names the version,
// and the worker has it.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import type { Migrated } from '../../../engine/definition/migration-request.ts';
import type { MigrationResult } from '../../../engine/migration-plan.ts';
import { migrateOne } from '../../../processes/migrations.ts';
import { bundleOf } from '../../support/bundles.ts';
import { lastingEventsOf } from '../../support/history.ts';
import { newTaskQueue, startWorker, temporalClient } from '../../support/temporal.ts';
import { Outside } from '../outside.ts';
import { activitiesOf } from '../outside-activities.ts';
import { follows, sendReport, untilProgress } from '../running-flows.ts';
import { requestOf } from '../stories.ts';
import { storyOf } from '../under-way.ts';

const fixture = (file: string) => fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));
const oneVersion = fixture('hand-over-of-one-version.ts');
const twoVersions = fixture('hand-over-of-two-versions.ts');

const request = (version: number, more: object = {}) => ({
  semantics: 1,
  to: { version },
  by: 'anna',
  why: 'followed until the pick-up',
  ...more,
});

async function deployment() {
  const client = await temporalClient();
  const taskQueue = newTaskQueue();
  const outsides = new Map<string, Outside>();
  return {
    client,
    deploy: (workflows: string) => startWorker({ taskQueue, workflows, activities: activitiesOf(outsides) }),
    async start(): Promise<{ handle: WorkflowHandle; outside: Outside }> {
      const outside = new Outside();
      const workflowId = `Issue-${randomUUID()}`;
      outsides.set(workflowId, outside);
      const input = {
        request: await requestOf(storyOf('Issue'), outside),
        deadlines: { issue: { dropOff: 'P2D', pickUp: 'P3D' } },
      };
      const handle = await client.workflow.start('Issue', { taskQueue, workflowId, args: [input] });
      outside.deliver = (report) => sendReport(client.workflow.getHandle(workflowId), report);
      await follows(handle);
      return { handle, outside };
    },
  };
}

const resultOn = (handle: WorkflowHandle, version: number): Promise<MigrationResult> =>
  handle.query<MigrationResult, [object]>('migrationResult', request(version));

const migrate = (handle: WorkflowHandle, version: number, updateId: string, more = {}): Promise<Migrated> =>
  handle.executeUpdate<Migrated, [object]>('migrate', { args: [request(version, more)], updateId });

async function replays(handle: WorkflowHandle): Promise<void> {
  const workflowBundle = await bundleOf(twoVersions);
  await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory(), handle.workflowId);
}

test('a process stays on its version when another one is deployed, and goes over when it is asked to', {
  tags: 'long',
}, async () => {
  const { deploy, start, client } = await deployment();
  const old = await deploy(oneVersion);
  const { handle, outside } = await start();
  await old.stop();
  const both = await deploy(twoVersions);
  const { handle: younger } = await start();
  expect((await untilProgress(handle, () => true)).version).toBe(1);
  expect((await untilProgress(younger, () => true)).version).toBe(2);
  const result = await resultOn(handle, 2);
  expect(result).toMatchObject({ kind: 'carried', obstacles: [] });
  const before = await lastingEventsOf(handle);
  const migrated = await migrate(handle, 2, 'batch/1');
  expect(migrated).toMatchObject({ from: 1, to: 2, by: 'anna' });
  // The deadline is the same one. The first act on a process says when it was, and marks that it does.
  expect((await lastingEventsOf(handle)).slice(before.length)).toEqual([
    'WORKFLOW_EXECUTION_UPDATE_ACCEPTED',
    'MARKER_RECORDED',
    'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
    'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
    'WORKFLOW_EXECUTION_UPDATE_COMPLETED',
  ]);
  expect(await migrate(handle, 2, 'batch/1')).toEqual(migrated);
  await both.stop();
  await deploy(twoVersions);
  expect(await untilProgress(handle, () => true)).toMatchObject({ version: 2, migrations: [migrated] });
  const { searchAttributes } = await client.workflow.getHandle(handle.workflowId).describe();
  expect(searchAttributes).toMatchObject({ LockerFlowVersion: ['Issue@2'] });
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  const { deadlines } = await untilProgress(
    handle,
    ({ shipments }) => shipments.issue?.stateCode === 'ReadyForPickup',
  );
  expect(deadlines).toMatchObject([{ role: 'issue', stage: 'pickUp' }]);
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  expect(await handle.result()).toMatchObject({ outcome: 'Done' });
  await replays(handle);
  await younger.terminate();
});

test('a leg that one version counts as done and the other does not must be meant', async () => {
  const { deploy, start } = await deployment();
  await deploy(twoVersions);
  const { handle, outside } = await start();
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  await untilProgress(handle, ({ shipments }) => shipments.issue?.stateCode === 'ReadyForPickup');
  const leg = 'shipments.issue.ReadyForPickup';
  expect(await resultOn(handle, 1)).toMatchObject({
    kind: 'needsPlan',
    obstacles: [{ code: 'FinalChanged', at: leg }],
  });
  await migrate(handle, 1, 'batch/2', { plan: { states: { [leg]: leg } } });
  expect(await handle.result()).toMatchObject({
    outcome: 'Done',
    shipments: { issue: { stateCode: 'ReadyForPickup' } },
  });
  await replays(handle);
});

/** A migration of one process. */
const input = {
  flow: 'Issue',
  to: 1,
  by: 'anna',
  why: 'a test',
  plan: {},
  back: false,
  waits: false,
  halted: false,
  query: null,
  first: 0,
  rate: 1,
  maxRefused: 1,
};

test('a dry run of one process says that no worker answers for it', async () => {
  const client = await temporalClient();
  const workflowId = `Issue-${randomUUID()}`;
  const handle = await client.workflow.start('Issue', { taskQueue: newTaskQueue(), workflowId, args: [{}] });
  onTestFinished(() => handle.terminate().then(() => undefined));
  await expect(migrateOne(client, input, workflowId, false, 1_000)).rejects.toMatchObject({
    kind: 'unreachable',
    code: 'NoWorker',
    message: expect.stringContaining(`no worker has answered for ${workflowId} within 1 s`),
  });
});

test('a process that is asked twice while no worker runs is migrated once', { tags: 'long' }, async () => {
  const { deploy, start, client } = await deployment();
  const worker = await deploy(twoVersions);
  const { handle } = await start();
  await worker.stop();
  const ask = (withinMs?: number) => migrateOne(client, input, handle.workflowId, true, withinMs);
  for (let count = 0; count < 2; count++)
    await expect(ask(1_500)).rejects.toMatchObject({ kind: 'unreachable', code: 'NoWorker' });
  await deploy(twoVersions);
  await expect(ask(60_000)).resolves.toMatchObject({
    outcome: expect.stringMatching(/^(migrated|already)$/),
  });
  await expect(ask(60_000)).resolves.toMatchObject({ outcome: 'already' });
  const { migrations = [] } = (await untilProgress(handle, () => true)) as {
    migrations?: readonly Migrated[];
  };
  expect(migrations.map(({ from, to }) => [from, to])).toEqual([[2, 1]]);
  // Back and forth is no repetition.
  const back = { ...input, to: 2 };
  await expect(migrateOne(client, back, handle.workflowId, true, 60_000)).resolves.toMatchObject({
    outcome: 'migrated',
  });
  await expect(ask(60_000)).resolves.toMatchObject({ outcome: 'migrated' });
  await handle.terminate();
});

test('a version that the worker does not have is refused, and nothing happens', async () => {
  const { deploy, start } = await deployment();
  await deploy(twoVersions);
  const { handle } = await start();
  const before = await lastingEventsOf(handle);
  const refused = await migrate(handle, 7, 'batch/3').catch((error: unknown) => error);
  expect((refused as WorkflowUpdateFailedError).cause).toMatchObject({
    type: 'InvalidMigration',
    message: expect.stringContaining('Issue@7 is not registered (registered: 1, 2)'),
  });
  expect(await lastingEventsOf(handle)).toEqual(before);
  await handle.terminate();
});
