// @module-tag invariant
// The worker is killed while it migrates: one process at any event of its migration, and a batch in the middle. Each process is
// migrated once, and goes on to its end.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { publishFiles } from '../../../../../client/flow-files/publish.ts';
import type { MigrationInput, MigrationStatus } from '../../../../../contract/flows/migrations.ts';
import type { Migrated } from '../../../../../engine/definition/migration-request.ts';
import type { FlowFile } from '../../../../../flows/language/flow-file.ts';
import { followed, startMigration } from '../../../../../processes/migrations.ts';
import { untilDone } from '../../../../../scripts/cluster/temporal/until-it-works.ts';
import { type KilledProcess, killedProcess } from '../../../../proofs/killed/killed-process.ts';
import { eventsOf } from '../../../../support/history.ts';
import { untilProgress } from '../../../../workflows/flow-files/running-files.ts';

const question = (of: string) => ({ of, question: 'Whole?', fields: { whole: { type: 'yesNo' } } });

const before = (name: string) =>
  ({
    name,
    meaning: 'Lends something.',
    initial: 'lent',
    states: {
      lent: {
        after: { P2D: 'over' },
        on: { back: 'over' },
        invoke: { id: 'check', src: 'ask', input: question('desk'), onDone: 'over' },
      },
      over: { type: 'final' },
    },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the file
    output: '${flow.version}',
  }) as unknown as FlowFile;

const textBefore = (name: string) => JSON.stringify(before(name));

const after = (name: string) =>
  ({
    ...before(name),
    initial: 'withUser',
    states: {
      withUser: {
        was: 'lent',
        after: { P3D: 'over' },
        on: { returned: { target: 'over', was: 'back' } },
        invoke: { id: 'look', was: 'check', src: 'ask', input: question('store'), onDone: 'over' },
      },
      over: { type: 'final' },
    },
  }) as unknown as FlowFile;

/** A task that is lost with its worker is another's after 2 s. */
async function begun({ client, taskQueue, name }: KilledProcess): Promise<WorkflowHandle> {
  const workflowId = `${name}-${randomUUID()}`;
  const handle = await client.workflow.start(name, {
    taskQueue,
    workflowId,
    args: [{}],
    workflowTaskTimeout: '2 s',
  });
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  return handle;
}

/** Asked again until it is answered, under one id. */
async function migrated(handle: WorkflowHandle, name: string): Promise<Migrated> {
  const request = { semantics: 1, to: { file: after(name), version: 2 }, by: 'anna', why: 'a test' };
  return await untilDone(() =>
    handle.executeUpdate<Migrated, [object]>('migrate', { args: [request], updateId: 'batch/1' }),
  );
}

async function goesOnToItsEnd(handle: WorkflowHandle): Promise<void> {
  const { questions } = await untilProgress(handle, ({ state }) => state === 'withUser');
  expect(questions).toMatchObject([{ id: 'look', of: 'store' }]);
  await handle.signal('event', { type: 'back', id: '1' });
  await expect(handle.result()).resolves.toBe(2);
}

/** A migration of one process has no more events. */
const LAST_EVENT = 9;

/** @param event how many events of the migration there are; where it has fewer, the worker is killed after it */
async function migratedKilledAt(running: KilledProcess, event: number): Promise<void> {
  const handle = await begun(running);
  const length = async () => (await handle.describe()).historyLength;
  const begins = await length();
  let isAnswered = false;
  const asking = migrated(handle, running.name).finally(() => {
    isAnswered = true;
  });
  const killing = (async () => {
    const hasCome = async () => isAnswered || (await length()) >= begins + event;
    if (event > 0) await vi.waitUntil(hasCome, { timeout: 180_000, interval: 2 });
    await running.kill();
  })();
  const [answer] = await Promise.all([asking, killing]);
  expect(await migrated(handle, running.name)).toEqual(answer);
  expect(await untilProgress(handle, () => true)).toMatchObject({ version: 2, migrations: [answer] });
  await goesOnToItsEnd(handle);
  expect(await eventsOf(handle)).not.toContain('WORKFLOW_TASK_FAILED');
}

test('a worker that is killed at any event of a migration changes nothing of it', {
  timeout: 600_000,
}, async () => {
  await using running = await killedProcess('Killed', textBefore);
  for (let event = 0; event <= LAST_EVENT; event++) await migratedKilledAt(running, event);
});

test('a batch whose worker is killed again and again migrates each process once', {
  timeout: 600_000,
}, async () => {
  await using running = await killedProcess('Killed', textBefore);
  const { client, taskQueue, name } = running;
  const count = 200;
  const handles = await Promise.all(Array.from({ length: count }, () => begun(running)));
  await vi.waitUntil(
    async () => (await client.workflow.count(`LockerFlowVersion = '${name}@1'`)).count === count,
    { timeout: 180_000, interval: 100 },
  );
  await publishFiles(client, [{ path: 'lending.yaml', text: JSON.stringify(after(name)) }], taskQueue);
  const input: MigrationInput = {
    flow: name,
    to: 2,
    by: 'anna',
    why: 'a test',
    plan: {},
    back: false,
    waits: false,
    halted: false,
    query: null,
    first: 4,
    rate: 10,
    maxRefused: 0.2,
  };
  await startMigration(client, input, taskQueue);
  const isMigrated = async () =>
    (await client.workflow.count(`LockerFlowVersion = '${name}@2' AND ExecutionStatus = 'Running'`)).count;
  // Among the first ones, in the middle, and near the end.
  for (const share of [0.05, 0.4, 0.8]) {
    await vi.waitUntil(async () => (await isMigrated()) >= share * count, {
      timeout: 300_000,
      interval: 50,
    });
    await running.kill();
  }
  const status: MigrationStatus = await followed(client, input, () => undefined);
  expect(status).toMatchObject({ phase: 'done', migrated: count, groups: [] });
  for (const handle of handles) {
    const { migrations } = (await untilProgress(handle, () => true)) as unknown as {
      migrations: Migrated[];
    };
    expect(migrations).toMatchObject([{ from: 1, to: 2 }]);
    await goesOnToItsEnd(handle);
  }
});
