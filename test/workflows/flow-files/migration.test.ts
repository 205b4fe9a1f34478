// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Processes of flow files that go over to another version of their file, on a real Temporal. Their histories replay without a
// registry: the update has the whole file. And what a changed file would have decided on what happened to processes.
import { randomUUID } from 'node:crypto';
import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import type { Migrated, MigrationRequest } from '../../../engine/definition/migration-request.ts';
import type { MigrationResult } from '../../../engine/migration-plan.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { backtest } from '../../../flows/simulation/backtest.ts';
import { recordedProcess } from '../../../processes/views/backtest/recorded-process.ts';
import { lastingEventsOf } from '../../support/history.ts';
import {
  runningFiles,
  runningFilesOfShortRuns,
  timesOf,
  uniqueName,
  untilProgress,
} from './running-files.ts';

const files = runningFiles();
const HOUR_MS = 3_600_000;

const request = (
  file: FlowFile,
  version: number,
  more: Partial<MigrationRequest> = {},
): MigrationRequest => ({
  semantics: 1,
  to: { file, version, publishedAt: '2026-01-05T09:00:00.000Z' },
  by: 'anna',
  why: 'a test',
  ...more,
});

const migrate = (
  handle: WorkflowHandle,
  asked: MigrationRequest,
  updateId: string = randomUUID(),
): Promise<Migrated> =>
  handle.executeUpdate<Migrated, [MigrationRequest]>('migrate', { args: [asked], updateId });

const resultOn = (handle: WorkflowHandle, asked: MigrationRequest): Promise<MigrationResult> =>
  handle.query<MigrationResult, [MigrationRequest]>('migrationResult', asked);

async function begun(file: FlowFile): Promise<WorkflowHandle> {
  await files.publish(JSON.stringify(file));
  return await files.start(file.name, {});
}

const publishNext = async (file: FlowFile): Promise<number> =>
  (await files.publish(JSON.stringify(file))).version;

/** A state that waits for a person until a day is over, and asks somebody meanwhile. */
const lending = (name: string): FlowFile => ({
  name,
  meaning: 'Lends something.',
  context: { asked: 0 },
  initial: 'lent',
  states: {
    lent: {
      after: { P1D: 'over' },
      on: { returned: 'over' },
      invoke: {
        id: 'whole',
        src: 'ask',
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
          id: 'check',
          was: 'whole',
          src: 'ask',
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
  const first = await untilProgress(handle, ({ questions }) => questions.length === 1);
  const [asked] = first.questions;
  const [day] = timesOf(first);
  const version = await publishNext(shortened(name));
  const result = await resultOn(handle, request(shortened(name), version));
  expect(result).toMatchObject({ kind: 'carried', overdue: 0 });
  const before = (await lastingEventsOf(handle)).length;
  const migrated = await migrate(handle, request(shortened(name), version));
  expect(migrated).toMatchObject({ from: 1, to: 2, by: 'anna', why: 'a test' });
  const after = await lastingEventsOf(handle);
  // The new timer, the old one, the search attributes; accepted, completed.
  expect(after.length - before).toBe(5);
  const progress = await untilProgress(handle, () => true);
  expect(progress).toMatchObject({
    state: 'withUser',
    version: 2,
    migrations: [migrated],
    questions: [{ id: 'check', of: 'store', askedAt: asked?.askedAt }],
  });
  const [wait] = timesOf(progress);
  expect(wait?.until).toBe(new Date(Date.parse(day?.until ?? '') - 23 * HOUR_MS).toISOString());
  await handle.executeUpdate('extendDeadline', { args: [{ timer: wait?.id, fromNow: 'PT0.1S' }] });
  await untilProgress(handle, ({ state }) => state === 'late');
  await files.restartWorker();
  await handle.executeUpdate('answer', { args: [{ values: {}, by: 'eva' }] });
  await expect(handle.result()).resolves.toBe(0);
  await files.replays(handle.workflowId);
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
        kind: 'needsPlan',
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

test('a halted process is repaired by the corrected file: the kept event is taken again, once, whatever happens between', async () => {
  const name = uniqueName('Counting');
  const file = (sum: string): FlowFile =>
    ({
      name,
      meaning: 'Counts.',
      context: { sum: 1 },
      initial: 'here',
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
  await untilProgress(handle, ({ halted }) => halted !== null);
  await handle.signal('event', { type: 'add', id: '2', data: 7 });
  const corrected = file('${context.sum + event.data}');
  const version = await publishNext(corrected);
  const asked = request(corrected, version);
  await files.restartWorker();
  const migrated = await migrate(handle, asked, 'batch/1');
  await files.restartWorker();
  expect(await migrate(handle, asked, 'batch/1')).toEqual(migrated);
  expect(await untilProgress(handle, ({ halted }) => halted === null)).toMatchObject({
    version: 2,
    phase: 'Open',
  });
  const { searchAttributes } = await handle.describe();
  expect(searchAttributes).toMatchObject({ LockerFlowVersion: [`${name}@2`], LockerPhase: ['Open'] });
  await handle.signal('event', { type: 'end', id: '3' });
  await expect(handle.result()).resolves.toBe(13);
  await files.replays(handle.workflowId);
});

const recordedOf = async (key: string, { client } = files) => recordedProcess(client, key);

const parsed = (text: string): FlowFile => parsedText(text).data as unknown as FlowFile;

/** A repair: it is reminded of after some time, an estimate comes from outside, the desk decides, and the price is noted. */
const repair = (name: string, limit = 100) => `
name: ${name}
meaning: A device is repaired if that is cheap enough.
input: { type: object, required: [item], properties: { item: { type: string } } }
context: { price: 0 }
initial: waiting
states:
  waiting:
    on:
      estimate:
        - { guard: "\${event.data.price > ${limit}}", target: asked, actions: { type: assign, params: { price: "\${event.data.price}" } } }
        - { target: noted, actions: { type: assign, params: { price: "\${event.data.price}" } } }
  asked:
    invoke:
      id: decision
      src: ask
      input: { of: desk, question: "Repair \${input.item}?", fields: { repair: { type: yesNo } } }
      onDone: [ { guard: "\${event.output.repair}", target: noted }, { target: over } ]
  noted:
    invoke: { id: note, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over, onError: over }
  over: { type: final }
output: { price: "\${context.price}" }
`;

/** Gives its key. */
async function repaired(name: string, price: number): Promise<string> {
  const handle = await files.start(name, { request: { item: `device-${price}` } });
  await handle.signal('event', { type: 'estimate', id: 'e', data: { price } });
  if (price > 100) {
    await untilProgress(handle, (progress) => progress.questions.length > 0);
    // What changes nothing is not played.
    await handle.executeUpdate('note', { args: [{ text: 'Ask her when she comes.', by: 'anna' }] });
    await handle.executeUpdate('answer', { args: [{ values: { repair: price % 2 === 0 }, by: 'anna' }] });
  }
  await handle.result();
  return handle.workflowId;
}

test('a process is the same on its own file, and decides otherwise where another guard concerns it', async () => {
  const name = uniqueName('Repair');
  await files.publish(repair(name));
  const recorded = await Promise.all(
    [60, 90, 110].map(async (price) => recordedOf(await repaired(name, price))),
  );
  const resultsOn = (text: string) => recorded.map((each) => backtest(each, parsed(text)).result);
  expect(resultsOn(repair(name))).toEqual(['same', 'same', 'same']);
  expect(resultsOn(repair(name, 80))).toEqual(['same', 'decidesOtherwise', 'same']);
});

test('a process that was migrated cannot be played on one version, and says so', async () => {
  const name = uniqueName('Repair');
  await files.publish(repair(name));
  const handle = await files.start(name, { request: { item: 'device-1' } });
  await untilProgress(handle, ({ state }) => state === 'waiting');
  const to = {
    file: parsed(repair(name, 10)),
    version: 2,
    publishedAt: '2026-01-05T09:00:00.000Z',
  };
  await handle.executeUpdate('migrate', { args: [{ semantics: 1, to, by: 'anna', why: 'a test' }] });
  await handle.signal('event', { type: 'estimate', data: { price: 50 } });
  await untilProgress(handle, ({ questions }) => questions.length > 0);
  await expect(recordedOf(handle.workflowId)).rejects.toThrow('it was migrated while it ran');
  await handle.terminate();
});

const child = (name: string) => `
name: ${name}
meaning: A part of the work.
initial: working
states:
  working: { on: { finished: { target: over } } }
  over: { type: final }
output: done
`;

/** It hears of the work, counts what comes, and asks in the end. */
const parent = (name: string, work: string) => `
name: ${name}
meaning: Waits for a part of the work, and asks what comes of it.
context: { count: 0 }
initial: busy
states:
  busy:
    invoke: { src: ${work}, input: { request: {} }, onDone: asked }
    on: { ping: { actions: [ { type: assign, params: { count: "\${context.count + 1}" } }, { type: emit, params: { type: pinged } } ] } }
  asked:
    invoke:
      id: result
      src: ask
      input: { of: desk, question: What came of it?, fields: { good: { type: yesNo } } }
      onDone: over
  over: { type: final }
output: "\${context.count}"
`;

describe('in short runs', { tags: 'long' }, () => {
  const shortRuns = runningFilesOfShortRuns();

  test('it reads all runs of a process with a child and a question', async () => {
    const [name, work] = [uniqueName('Parent'), uniqueName('Work')];
    await shortRuns.publish(child(work));
    await shortRuns.publish(parent(name, work));
    const handle = await shortRuns.start(name, { request: {} });
    await untilProgress(handle, ({ state }) => state === 'busy');
    for (let count = 1; count <= 30; count++)
      await handle.signal('event', { type: 'ping', id: String(count) });
    const open = await recordedOf(handle.workflowId, shortRuns);
    expect(open.end).toBeNull();
    expect(backtest(open, parsed(parent(name, work))).result).toBe('same');
    await shortRuns.client.workflow
      .getHandle(`${handle.workflowId}/busy`)
      .signal('event', { type: 'finished' });
    await untilProgress(handle, (progress) => progress.questions.length > 0);
    await handle.executeUpdate('answer', { args: [{ values: { good: true }, by: 'anna' }] });
    expect(await handle.result()).toBe(30);
    const runs = await handle.fetchHistory();
    expect(runs.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toBeTruthy();

    const recorded = await recordedOf(handle.workflowId, shortRuns);
    expect(recorded.stimuli.filter(({ kind }) => kind === 'event')).toHaveLength(30);
    expect(backtest(recorded, recorded.file).result).toBe('same');
  });
});
