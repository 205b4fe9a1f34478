// Batches on a real Temporal: each process is acted on once, whatever happens to the worker, and people pause, resume, cancel and
// retry.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, test, vi } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { BatchRequest } from '../../../contract/flows/batches.ts';
import { controlBatch, retryFailed } from '../../../processes/batches/control-batch.ts';
import { type BatchView, listBatches, readBatch } from '../../../processes/batches/read-batches.ts';
import { readOutcomes as readOutcomesOf } from '../../../processes/batches/read-outcomes.ts';
import { type NewBatch, startBatch } from '../../../processes/batches/start-batch.ts';
import { undoBatch } from '../../../processes/batches/undo-batch.ts';
import { extend, undoExtension } from '../../../processes/commands/extend.ts';
import { startAgain } from '../../../processes/commands/start-again.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { runBatch } from '../../../processes/run-batch.ts';
import type { CommandContext } from '../../../processes/temporal-context.ts';
import { ProcessFailures } from '../../../processes/views/failures.ts';
import { progressOf } from '../../../processes/views/progress.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';
import {
  runningFiles,
  runningFilesOfShortRuns,
  timesOf,
  uniqueName,
  untilProgress,
} from '../../workflows/flow-files/running-files.ts';
import { Outside } from '../../workflows/outside.ts';

const DAY_MS = 86_400_000;
type Files = ReturnType<typeof runningFiles>;

const commandContextFor = ({ client, taskQueue }: Files, updateId?: string): CommandContext => ({
  client,
  taskQueue,
  flows: new LockerFlows(client, { taskQueue, updateId }),
  by: 'anna',
  why: 'closed on Monday',
});

const readOutcomes = (
  commandContext: CommandContext,
  id: string,
  wanted: Parameters<typeof readOutcomesOf>[2],
) =>
  readOutcomesOf(commandContext, id, wanted, {
    summaries: new ProcessSummaries(commandContext),
    failures: new ProcessFailures(commandContext),
    nameOf: (pupUid) => Promise.resolve(pupUid),
  });

/** Two ends at once: `first`, and two days later `second`; before `lend` there is none. */
const lending = (name: string) =>
  JSON.stringify({
    name,
    meaning: 'Lends something.',
    initial: 'lent',
    states: {
      shelf: { on: { lend: 'lent' } },
      lent: {
        type: 'parallel',
        states: {
          first: { initial: 'one', states: { one: { after: { P10D: 'two' } }, two: {} } },
          second: { initial: 'one', states: { one: { after: { P12D: 'two' } }, two: {} } },
        },
        on: { back: 'over', shelve: 'shelf' },
      },
      over: { type: 'final' },
    },
  });

async function lent(files: Files, count: number): Promise<WorkflowHandle[]> {
  const name = uniqueName('Lending');
  await files.publish(lending(name));
  const handles = await Promise.all(Array.from({ length: count }, () => files.start(name, {})));
  await Promise.all(handles.map((handle) => untilProgress(handle, (each) => timesOf(each).length === 2)));
  return handles;
}

const keysOf = (handles: readonly WorkflowHandle[]) => handles.map(({ workflowId }) => workflowId);

const extendBy = (keys: readonly string[], extendBy = 'P1D', rate = 50): NewBatch => ({
  command: 'extend',
  fields: { next: true, extendBy },
  keys,
  rate,
});

const untilView = (files: Files, id: string, holds: (view: BatchView) => boolean): Promise<BatchView> =>
  vi.waitFor(
    async () => {
      const view = await readBatch(commandContextFor(files), id);
      if (holds(view)) return view;
      throw new Error(JSON.stringify(view));
    },
    { timeout: 60_000, interval: 50 },
  );
const untilClosed = (files: Files, id: string) => untilView(files, id, ({ closedAt }) => closedAt !== null);

/** By how many days its ends have moved, from 10 and 12 days after its start. */
async function movedBy(handle: WorkflowHandle): Promise<number[]> {
  const { startTime } = await handle.describe();
  const times = timesOf(await untilProgress(handle, () => true));
  const endOf = (name: string) => times.find(({ id }) => id === name)?.until ?? '';
  const daysTo = (name: string) => Math.round((Date.parse(endOf(name)) - startTime.getTime()) / DAY_MS);
  return [daysTo('P10D') - 10, daysTo('P12D') - 12];
}

async function updatesOf(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length;
}

const end = (handles: readonly WorkflowHandle[]) => Promise.all(handles.map((handle) => handle.terminate()));

describe('a batch', () => {
  const files = runningFiles();

  test('acts once on each process, though its worker stops in the middle', async () => {
    const handles = await lent(files, 30);
    const id = await startBatch(commandContextFor(files), extendBy(keysOf(handles), 'P1D', 10));
    await vi.waitUntil(async () => (await updatesOf(handles[3] as WorkflowHandle)) > 0, { timeout: 30_000 });
    await files.restartWorker();
    expect(await untilClosed(files, id)).toMatchObject({
      command: 'extend',
      by: 'anna',
      why: 'closed on Monday',
      status: { phase: 'done', total: 30, done: 30, refused: 0, unknown: 0 },
    });
    for (const handle of handles) {
      expect(await updatesOf(handle)).toBe(1);
      expect(await movedBy(handle)).toEqual([1, 0]);
    }
    const { outcomes, next } = await readOutcomes(commandContextFor(files), id, { from: 0, size: 20 });
    expect(next).toBe(20);
    expect(outcomes[0]).toMatchObject({
      outcome: 'done',
      refusal: null,
      words: expect.stringMatching(/^extended: \S+ → \S+$/),
      consequence: { from: expect.any(String), until: expect.any(String), role: null },
    });
    expect(await listBatches(commandContextFor(files))).toMatchObject([{ id, closedAt: expect.any(String) }]);
    await end(handles);
  });

  test('is paused, resumed and cancelled: what has not begun is left as it is', async () => {
    const handles = await lent(files, 40);
    const commandContext = commandContextFor(files);
    const id = await startBatch(commandContext, extendBy(keysOf(handles), 'P1D', 2));
    const doneOf = ({ status }: BatchView) => status?.done ?? 0;
    await untilView(files, id, (view) => doneOf(view) > 0);
    await controlBatch({ ...commandContext, by: 'bo', why: 'lunch' }, id, 'pause');
    expect(await readBatch(commandContext, id)).toMatchObject({
      status: { phase: 'paused', control: { what: 'pause', who: { by: 'bo', why: 'lunch' } } },
    });
    await controlBatch(commandContext, id, 'resume');
    const before = doneOf(await readBatch(commandContext, id));
    await untilView(files, id, (view) => doneOf(view) > before);
    await controlBatch(commandContext, id, 'cancel');
    const { status } = await untilClosed(files, id);
    expect(status).toMatchObject({ phase: 'cancelled', total: 40, refused: 0 });
    const updates = await Promise.all(handles.map(updatesOf));
    expect(updates.filter((count) => count === 1).length).toBe(status?.done);
    expect(status?.done).toBeLessThan(40);
    await expect(controlBatch(commandContext, id, 'resume')).rejects.toMatchObject({ code: 'BatchEnded' });
    await expect(retryFailed(commandContext, id)).rejects.toMatchObject({ code: 'BatchCancelled' });
    await end(handles);
  });

  test('says why a process has refused it, and tries again what has failed alone', async () => {
    const handles = await lent(files, 3);
    const [shelved] = handles as [WorkflowHandle];
    await shelved.signal('event', { type: 'shelve' });
    await untilProgress(shelved, (each) => timesOf(each).length === 0);
    const commandContext = commandContextFor(files);
    const id = await startBatch(commandContext, extendBy([...keysOf(handles), 'nobody']));
    const { status } = await untilClosed(files, id);
    expect(status).toMatchObject({ phase: 'done', total: 4, done: 2, refused: 2 });
    const wanted = { from: 0, size: 10, only: 'refused' } as const;
    const { outcomes } = await readOutcomes(commandContext, id, wanted);
    expect(Object.fromEntries(outcomes.map(({ key, refusal }) => [key, refusal?.code]))).toEqual({
      [shelved.workflowId]: 'NoDeadlineRuns',
      nobody: 'FlowNotFound',
    });
    await shelved.signal('event', { type: 'lend' });
    await untilProgress(shelved, (each) => timesOf(each).length === 2);
    await retryFailed({ ...commandContext, by: 'bo', why: undefined }, id);
    expect(
      await untilView(files, id, ({ closedAt, status }) => closedAt !== null && status?.done === 3),
    ).toMatchObject({
      by: 'bo',
      why: 'closed on Monday',
      status: { total: 4, done: 3, refused: 1, control: { what: 'retry', who: { by: 'bo' } } },
    });
    expect(await Promise.all(handles.map(updatesOf))).toEqual([1, 1, 1]);
    await end(handles);
  });

  test('does not act again where an answer was lost, though another deadline ends first by now', async () => {
    const [handle] = (await lent(files, 1)) as [WorkflowHandle];
    const { id, view } = await repeated(files, handle, 'P5D');
    expect(view.status).toMatchObject({ done: 1 });
    expect(await movedBy(handle)).toEqual([5, 0]);
    const { outcomes } = await readOutcomes(commandContextFor(files), id, { from: 0, size: 1 });
    expect(outcomes[0]?.consequence).toMatchObject({ timer: 'P10D' });
    await end([handle]);
  });

  test('knows a process as cancelled that has ended by then', async () => {
    const [handle] = (await lent(files, 1)) as [WorkflowHandle];
    const since = (await handle.describe()).startTime.getTime();
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    const id = await unknownBefore(files, 'cancel', {}, handle, { updateId: 'lost', since });
    expect((await untilClosed(files, id)).status).toMatchObject({ done: 1, refused: 0 });
  });

  test('knows a process as started again that has ended anew by then', async () => {
    const [handle] = (await lent(files, 1)) as [WorkflowHandle];
    const cancelled = async (each: Pick<WorkflowHandle, 'cancel' | 'result'>) => {
      await each.cancel();
      await expect(each.result()).rejects.toThrow();
    };
    await cancelled(handle);
    const since = (await handle.describe()).closeTime?.getTime() ?? 0;
    const again = orThrow(await startAgain.do(commandContextFor(files), handle.workflowId, {}));
    await cancelled(files.client.workflow.getHandle(again.key, again.runId));
    const id = await unknownBefore(files, 'startAgain', {}, handle, { updateId: 'lost', since });
    expect((await untilClosed(files, id)).status).toMatchObject({ done: 1, refused: 0 });
    expect((await files.client.workflow.getHandle(again.key).describe()).runId).toBe(again.runId);
  });

  test('is taken back as one, once it has ended; what has been moved again meanwhile stays', async () => {
    const handles = await lent(files, 4);
    const [moved] = handles as [WorkflowHandle];
    const commandContext = commandContextFor(files);
    const bo = { ...commandContext, by: 'bo', why: 'the wrong wall' };
    const id = await startBatch(commandContext, extendBy([...keysOf(handles), 'nobody'], 'P1D', 3));
    await expect(undoBatch(bo, id)).rejects.toMatchObject({
      code: 'BatchRuns',
      message: expect.stringContaining('cancel it'),
    });
    expect(await untilClosed(files, id)).toMatchObject({
      status: { done: 4, refused: 1 },
      undoUntil: expect.any(String),
      undoneBy: null,
    });
    orThrow(await extend.do(commandContext, moved.workflowId, { next: true, extendBy: 'P2D' } as never));

    const undoId = await undoBatch(bo, id);
    expect(await undoBatch(bo, id)).toBe(undoId);
    expect(await untilClosed(files, undoId)).toMatchObject({
      ...{ command: 'undoExtension', by: 'bo', why: 'the wrong wall', undoes: id, undoUntil: null },
      status: { phase: 'done', total: 4, done: 3, refused: 1 },
    });
    const { outcomes } = await readOutcomes(commandContext, undoId, { from: 0, size: 10 });
    expect(outcomes.find(({ key }) => key === moved.workflowId)?.refusal?.message).toContain(
      'moved again meanwhile',
    );
    expect(outcomes.filter(({ words }) => words === 'the end is what it was').length).toBe(3);
    expect(await Promise.all(handles.map(movedBy))).toEqual([[3, 0], ...Array(3).fill([0, 0])]);
    expect(await undoBatch(bo, id)).toBe(undoId);
    expect(await Promise.all(handles.map(updatesOf))).toEqual([2, 2, 2, 2]);
    const taken = await readBatch(commandContext, id);
    expect(taken).toMatchObject({ undoneBy: undoId, undoUntil: null });
    expect(await listBatches(commandContext)).toContainEqual(taken);
    await expect(undoBatch(bo, undoId)).rejects.toMatchObject({ code: 'NotUndoable' });
    await end(handles);
  });

  test('with fields of its own for each asks with these again, and knows what was done', async () => {
    const handles = await lent(files, 2);
    const [first, second] = handles as [WorkflowHandle, WorkflowHandle];
    const keys = keysOf(handles);
    const fieldsOfEach = await Promise.all(
      keys.map(async (key) => {
        const given = { next: true, extendBy: 'P1D' } as never;
        const { timer, from, until } = orThrow(await extend.do(commandContextFor(files), key, given));
        return { timer, from, until };
      }),
    );
    const since = (await first.describe()).startTime.getTime();
    const updateId = randomUUID();
    orThrow(
      await undoExtension.do(commandContextFor(files, updateId), second.workflowId, fieldsOfEach[1] as never),
    );
    const id = randomUUID();
    const input = {
      command: 'undoExtension',
      fields: {},
      who: { by: 'anna' },
      identity: 'anna',
      flows: null,
    };
    const unknown = { outcome: 'unknown', code: 'NoWorker', message: 'no worker answers' } as const;
    const outcomes = [
      { ...unknown, key: first.workflowId, request: { updateId: 'lost', since } },
      { ...unknown, key: second.workflowId, request: { updateId, since } },
    ];
    const batch = { ...input, rate: 50, keys, fieldsOfEach };
    await runBatch(commandContextFor(files), id, batch, { saved: { outcomes, sweep: 0 } });
    expect((await untilClosed(files, id)).status).toMatchObject({ done: 2 });
    expect(await Promise.all(handles.map(movedBy))).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const read = await readOutcomes(commandContextFor(files), id, { from: 0, size: 2 });
    expect(read.outcomes.map(({ words }) => words)).toEqual(Array(2).fill('the end is what it was'));
    await end(handles);
  });

  test('is taken back for ten minutes, and only where it moved ends', async () => {
    const [handle] = (await lent(files, 1)) as [WorkflowHandle];
    const commandContext = commandContextFor(files);
    const id = await startBatch(commandContext, extendBy([handle.workflowId]));
    const { closedAt } = await untilClosed(files, id);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(closedAt ?? '') + 10 * 60_000 + 1 });
    try {
      await expect(undoBatch(commandContext, id)).rejects.toMatchObject({ code: 'TooLate' });
      expect(await readBatch(commandContext, id)).toMatchObject({ undoUntil: null });
    } finally {
      vi.useRealTimers();
    }
    const cancelling = await startBatch(commandContext, { command: 'cancel', fields: {}, keys: ['nobody'] });
    await untilClosed(files, cancelling);
    await expect(undoBatch(commandContext, cancelling)).rejects.toMatchObject({ code: 'NotUndoable' });
    const without = await startBatch(commandContext, extendBy(['nobody']));
    expect(await untilClosed(files, without)).toMatchObject({ undoUntil: null });
    await expect(undoBatch(commandContext, without)).rejects.toMatchObject({ code: 'NothingDone' });
    await end([handle]);
  });

  test('begins only with what can be done to many, by whoever may, and with a reason', async () => {
    const commandContext = commandContextFor(files);
    const refusals: readonly (readonly [Partial<NewBatch>, Partial<CommandContext>, object])[] = [
      [
        { command: 'adopt' },
        {},
        { kind: 'wrongInput', fields: { command: expect.stringContaining('extend') } },
      ],
      [{ fields: { next: true } }, {}, { fields: { extendBy: expect.any(String) } }],
      [{ keys: [] }, {}, { fields: { keys: expect.any(String) } }],
      [
        { keys: Array.from({ length: 5_001 }, (_, at) => `order-${at}`) },
        {},
        { fields: { keys: expect.any(String) } },
      ],
      [{}, { why: ' ' }, { fields: { why: 'is missing' } }],
      [{}, { may: () => false }, { kind: 'forbidden' }],
    ];
    for (const [given, as, refusal] of refusals) {
      const starting = startBatch({ ...commandContext, ...as }, { ...extendBy(['one']), ...given });
      await expect(starting, JSON.stringify(given).slice(0, 100)).rejects.toMatchObject(refusal);
    }
  });

  test('acts on processes of flows alone on which who has started it may act', async () => {
    const [mine, other] = [await lent(files, 1), await lent(files, 1)].flat() as [
      WorkflowHandle,
      WorkflowHandle,
    ];
    const { type: flow } = await mine.describe();
    const may: CommandContext['may'] = (_, about) => about === flow;
    const id = await startBatch({ ...commandContextFor(files), may }, extendBy(keysOf([mine, other])));
    expect((await untilClosed(files, id)).status).toMatchObject({ done: 1, refused: 1 });
    const { outcomes } = await readOutcomes(commandContextFor(files), id, {
      from: 0,
      size: 2,
      only: 'refused',
    });
    expect(outcomes).toMatchObject([{ key: other.workflowId, refusal: { code: 'NotAllowed' } }]);
    await end([mine, other]);
  });
});

/** Two cases that have begun a flow each, which books with a deadline for its drop-off. */
async function ofParts(files: Files) {
  const name = uniqueName('OfParts');
  const request = {
    pupUid: 'pup-1',
    toUserUid: 'user-anna',
    dimension: { width: 10, height: 10, length: 10 },
    allowLargerLockers: true,
    allowOverflowLockers: false,
  };
  await files.publish(
    JSON.stringify({
      name,
      meaning: 'Has two items delivered.',
      initial: 'delivering',
      states: {
        delivering: {
          type: 'parallel',
          states: Object.fromEntries(
            ['one', 'two'].map((id) => [
              id,
              {
                initial: 'out',
                states: {
                  out: {
                    invoke: {
                      ...{ id, src: 'Issue', onDone: 'over', onError: 'over' },
                      input: { deadlines: { issue: { dropOff: 'P10D' } }, request },
                    },
                  },
                  over: {},
                },
              },
            ]),
          ),
        },
      },
    }),
  );
  const key = `${name}-${randomUUID()}`;
  const parts = [`${key}/one`, `${key}/two`] as const;
  for (const part of parts) files.attend(part, new Outside());
  const { taskQueue } = files;
  const handle = await files.client.workflow.start(name, { taskQueue, workflowId: key, args: [{}] });
  const ends = async () => {
    const all = await Promise.all(parts.map((part) => progressOf(commandContextFor(files), part)));
    return all.map(({ bookings }) => bookings[0]?.deadlines[0]?.until ?? '');
  };
  const before = await vi.waitUntil(
    async () => {
      const now = await ends().catch(() => []);
      return now.length === 2 && now.every((each) => each !== '') && now;
    },
    { timeout: 60_000, interval: 100 },
  );
  const days = async () =>
    (await ends()).map((end, at) => Math.round((Date.parse(end) - Date.parse(before[at] ?? '')) / DAY_MS));
  return { key, parts, handle, days };
}

describe('a batch of cases and parts of them', () => {
  const files = runningFiles();

  test('moves each deadline once, though its worker stops, and says what was done with a part', async () => {
    const { key, parts, handle, days } = await ofParts(files);
    const [first, second] = parts;
    const commandContext = commandContextFor(files);
    const given = { next: true, extendBy: 'P1D' } as never;
    const preview = orThrow(await extend.preview({ ...commandContext, parts }, key, given));
    const { doneWith = '' } = preview ?? {};
    expect(parts).toContain(doneWith);
    expect(extend.formatPreview(preview)).toBe(`done with ${doneWith}`);

    const id = await startBatch(commandContext, extendBy([first, key, second]));
    await files.restartWorker();
    expect((await untilClosed(files, id)).status).toMatchObject({ done: 3, refused: 0 });
    expect(await days()).toEqual([1, 1]);
    const { outcomes } = await readOutcomes(commandContext, id, { from: 0, size: 3 });
    expect(outcomes.find((each) => each.key === key)?.words).toMatch(/^done with .+\/(one|two)$/);

    const undoId = await undoBatch(commandContext, id);
    expect((await untilClosed(files, undoId)).status).toMatchObject({ total: 2, done: 2 });
    expect(await days()).toEqual([0, 0]);
    await handle.terminate();
  });

  test('is taken back where it moved the deadline of a part, though others have such a leg', async () => {
    const { key, handle, days } = await ofParts(files);
    const commandContext = commandContextFor(files);
    const id = await startBatch(commandContext, extendBy([key]));
    expect((await untilClosed(files, id)).status).toMatchObject({ done: 1 });
    expect((await days()).toSorted()).toEqual([0, 1]);
    const undoId = await undoBatch(commandContext, id);
    expect((await untilClosed(files, undoId)).status).toMatchObject({ total: 1, done: 1 });
    expect(await days()).toEqual([0, 0]);
    await handle.terminate();
  });
});

describe('a batch whose processes continue as new runs', { tags: 'long' }, () => {
  const files = runningFilesOfShortRuns();

  test('does not act again on one that has continued since', async () => {
    const [handle] = (await lent(files, 1)) as [WorkflowHandle];
    const { runId } = await handle.describe();
    const { view } = await repeated(files, handle, 'P1D', async () => {
      await vi.waitUntil(
        async () => {
          await handle.signal('event', { type: 'unknown', id: randomUUID() });
          return (await handle.describe()).runId !== runId;
        },
        { timeout: 60_000, interval: 50 },
      );
    });
    expect(view.status).toMatchObject({ done: 1 });
    expect(await movedBy(handle)).toEqual([1, 0]);
    await end([handle]);
  });
});

/** A batch that has extended the process once, and did not hear so. */
async function repeated(files: Files, handle: WorkflowHandle, by: string, meanwhile = async () => {}) {
  const since = (await handle.describe()).startTime.getTime();
  const updateId = randomUUID();
  const [first] = timesOf(await untilProgress(handle, () => true));
  const given = { timer: first?.id ?? '', extendBy: by, only: 'later', by: 'anna', why: 'closed' } as const;
  await commandContextFor(files, updateId).flows.handle(handle.workflowId).extendDeadline(given);
  await meanwhile();
  const fields = { next: true, extendBy: by };
  const id = await unknownBefore(files, 'extend', fields, handle, { updateId, since });
  return { id, view: await untilClosed(files, id) };
}

async function unknownBefore(
  files: Files,
  command: string,
  fields: object,
  { workflowId: key }: WorkflowHandle,
  request: BatchRequest,
): Promise<string> {
  const id = randomUUID();
  const who = { by: 'anna', why: 'closed on Monday' };
  const input = { command, fields: { ...fields }, who, identity: 'anna', flows: null, rate: 50, keys: [key] };
  const before = {
    key,
    outcome: 'unknown',
    code: 'NoWorker',
    message: 'no worker answers',
    request,
  } as const;
  await runBatch(commandContextFor(files), id, input, { saved: { outcomes: [before], sweep: 0 } });
  return id;
}
