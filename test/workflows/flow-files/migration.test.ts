// Processes of flow files that go over to another version of their file, on a real Temporal. Their histories replay without a
// registry: the update has the whole file.
import { randomUUID } from 'node:crypto';
import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import type { Migrated, MigrationRequest, Verdict } from '../../../driver/index.ts';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import { bundleOf } from '../../support/bundles.ts';
import { lastingEventsOf } from '../../support/history.ts';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
const files = runningFiles();
const HOUR_MS = 3_600_000;

const request = (
  file: FlowFile,
  version: number,
  more: Partial<MigrationRequest> = {},
): MigrationRequest => ({
  ...{
    semantics: 1,
    to: { file, version, publishedAt: '2026-01-05T09:00:00.000Z' },
    by: 'anna',
    why: 'a test',
  },
  ...more,
});

const migrate = (
  handle: WorkflowHandle,
  asked: MigrationRequest,
  updateId: string = randomUUID(),
): Promise<Migrated> =>
  handle.executeUpdate<Migrated, [MigrationRequest]>('migrate', { args: [asked], updateId });

const verdictOn = (handle: WorkflowHandle, asked: MigrationRequest): Promise<Verdict> =>
  handle.query<Verdict, [MigrationRequest]>('migrationVerdict', asked);

async function begun(file: FlowFile): Promise<WorkflowHandle> {
  await files.publish(JSON.stringify(file));
  return await files.start(file.name, {});
}

const publishNext = async (file: FlowFile): Promise<number> =>
  (await files.publish(JSON.stringify(file))).version;

async function replays(handle: WorkflowHandle): Promise<void> {
  const history = await handle.fetchHistory();
  await Worker.runReplayHistory({ workflowBundle: await bundleOf() }, history, handle.workflowId);
}

/** A state that waits for a person until a day is over, and asks somebody meanwhile. */
const lending = (name: string): FlowFile => ({
  ...{ name, meaning: 'Lends something.', context: { asked: 0 }, initial: 'lent' },
  states: {
    lent: {
      after: { P1D: 'over' },
      on: { returned: 'over' },
      invoke: {
        ...{ id: 'whole', src: 'ask' },
        input: { of: 'desk', question: 'Whole?', fields: { state: { choice: ['whole', 'broken'] } } },
        onDone: 'over',
      },
    },
    over: { type: 'final' },
  },
});

const shortened = (name: string): FlowFile =>
  ({
    ...lending(name),
    context: { asked: 0, reminders: 3 },
    initial: 'withUser',
    output: '${context.asked}',
    states: {
      withUser: {
        was: 'lent',
        after: { PT1H: 'late' },
        on: { returned: 'over' },
        invoke: {
          ...{ id: 'check', was: 'whole', src: 'ask' },
          input: {
            of: 'store',
            question: 'Is it whole?',
            fields: { state: { choice: ['whole', 'broken', 'lost'] } },
          },
          onDone: {
            target: 'answered',
            actions: { type: 'assign', params: { asked: '${context.reminders}' } },
          },
        },
      },
      late: {
        on: { returned: 'over' },
        invoke: { id: 'again', src: 'ask', input: { of: 'desk', question: 'Where?' }, onDone: 'over' },
      },
      answered: { on: { returned: 'over' } },
      over: { type: 'final' },
    },
  }) as FlowFile;

test('a running process goes over to a new version: its question is the same one, and its timer counts from the start', async () => {
  const name = uniqueName('Lending');
  const handle = await begun(lending(name));
  const { questions, timers } = await untilProgress(handle, (progress) => progress.questions.length === 1);
  const [asked] = questions;
  const [day] = timers;
  const version = await publishNext(shortened(name));
  const verdict = await verdictOn(handle, request(shortened(name), version));
  expect(verdict).toMatchObject({
    verdict: 'carried',
    outcome: { renamed: { whole: 'check' }, state: 'withUser' },
  });
  const before = (await lastingEventsOf(handle)).length;
  const migrated = await migrate(
    handle,
    request(shortened(name), version, { fingerprint: verdict.fingerprint }),
  );
  expect(migrated).toMatchObject({ from: 1, to: 2, by: 'anna', why: 'a test' });
  const after = await lastingEventsOf(handle);
  // The new timer, the old one, the search attributes; accepted, completed.
  expect(after.length - before).toBe(5);
  const progress = await untilProgress(handle, () => true);
  expect(progress).toMatchObject({
    ...{ state: 'withUser', version: 2, migrations: [migrated] },
    questions: [{ id: 'check', of: 'store', askedAt: asked?.askedAt }],
    timers: [{ until: new Date(Date.parse(day?.until ?? '') - 23 * HOUR_MS).toISOString() }],
  });
  const [wait] = progress.awaits.filter(({ kind }) => kind === 'time');
  await handle.executeUpdate('extendDeadline', { args: [{ timer: wait?.id, fromNow: 'PT0.1S' }] });
  await untilProgress(handle, ({ state }) => state === 'late');
  await files.restartWorker();
  await handle.executeUpdate('answer', { args: [{ values: {}, by: 'eva' }] });
  await expect(handle.result()).resolves.toBe(0);
  await replays(handle);
});

test('an answer after the migration is the answer of the new question, and a context field begins with its value', async () => {
  const name = uniqueName('Lending');
  const handle = await begun(lending(name));
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  const next = { ...shortened(name) } as FlowFile;
  const { withUser, ...states } = next.states as Record<string, object>;
  const file = {
    ...next,
    states: { withUser: { ...withUser, after: { P2D: 'late' } }, ...states },
  } as FlowFile;
  await migrate(handle, request(file, await publishNext(file)));
  await files.restartWorker();
  await handle.executeUpdate('answer', {
    args: [{ question: 'check', values: { state: 'lost' }, by: 'eva' }],
  });
  expect((await untilProgress(handle, ({ state }) => state === 'answered')).state).toBe('answered');
  await handle.signal('event', { type: 'returned', id: '1' });
  await expect(handle.result()).resolves.toBe(3);
  await replays(handle);
});

test('a refused migration leaves no trace, and says what is in the way and what to do', async () => {
  const name = uniqueName('Lending');
  const handle = await begun(lending(name));
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  const before = await lastingEventsOf(handle);
  const elsewhere = {
    ...lending(name),
    initial: 'there',
    states: { there: { on: { returned: 'over' } }, over: { type: 'final' } },
  } as FlowFile;
  const refused = await migrate(handle, request(elsewhere, 2)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WorkflowUpdateFailedError);
  expect((refused as WorkflowUpdateFailedError).cause).toMatchObject({
    type: 'MigrationRefused',
    details: [
      {
        verdict: 'needsPlan',
        obstacles: [
          { code: 'StateRemoved', at: 'lent' },
          { code: 'InvokeRemoved', at: 'whole' },
        ],
      },
    ],
  });
  expect(await lastingEventsOf(handle)).toEqual(before);
  await handle.terminate();
});

test('a held process is repaired by the corrected file: the kept event is taken again, once, whatever happens between', async () => {
  const name = uniqueName('Counting');
  const file = (sum: string): FlowFile =>
    ({
      ...{ name, meaning: 'Counts.', context: { sum: 1 }, initial: 'here' },
      states: {
        here: {
          on: { add: { actions: { type: 'assign', params: { sum } } }, end: 'over' },
        },
        over: { type: 'final' },
      },
      output: '${context.sum}',
    }) as FlowFile;
  const handle = await begun(file('${context.sum + event.data.amount}'));
  await handle.signal('event', { type: 'add', id: '1', data: 5 });
  await untilProgress(handle, ({ held }) => held !== null);
  await handle.signal('event', { type: 'add', id: '2', data: 7 });
  const corrected = file('${context.sum + event.data}');
  const version = await publishNext(corrected);
  const asked = request(corrected, version);
  await files.restartWorker();
  const migrated = await migrate(handle, asked, 'batch/1');
  await files.restartWorker();
  expect(await migrate(handle, asked, 'batch/1')).toEqual(migrated);
  expect(await untilProgress(handle, ({ held }) => held === null)).toMatchObject({
    version: 2,
    phase: 'Open',
  });
  const { searchAttributes } = await handle.describe();
  expect(searchAttributes).toMatchObject({ LockerFlowVersion: [`${name}@2`], LockerPhase: ['Open'] });
  await handle.signal('event', { type: 'end', id: '3' });
  await expect(handle.result()).resolves.toBe(13);
  await replays(handle);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
