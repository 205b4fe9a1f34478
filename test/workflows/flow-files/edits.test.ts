// Each edit of a file on a real Temporal: what stands in the way is named, and what is carried goes on to its end. Their
// recorded histories replay. In `npm test` a ninth of them run, and all recorded ones replay. RECORD_MIGRATIONS=1 records those
// that are missing; it never overwrites one.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import type { MigrationRequest } from '../../../engine/definition/migration-request.ts';
import type { MigrationResult } from '../../../engine/migration-plan.ts';
import { bundleOf } from '../../support/bundles.ts';
import { eachSampled } from '../../support/suite.ts';
import { Outside } from '../outside.ts';
import { type Edit, edits, type Step } from './edits.ts';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

const folder = new URL('../../histories/migrations/', import.meta.url);
const { History } = proto.temporal.api.history.v1;
const files = runningFiles();

/** One child flow each, by its key. */
const outsides = new Map<string, Outside>();

async function steps(handle: WorkflowHandle, all: readonly Step[], from = 0): Promise<void> {
  for (const [index, [kind, name, values]] of all.entries()) {
    if (kind === 'event') await handle.signal('event', { type: name, id: `${from + index}` });
    else if (kind === 'answer') {
      await untilProgress(handle, ({ questions }) => questions.some(({ id }) => id === name));
      await handle.executeUpdate('answer', { args: [{ question: name, values, by: 'eva' }] });
    } else {
      const outside = outsides.get(`${handle.workflowId}/${name}`) as Outside;
      await outside.does(outside.uid('issue'), kind === 'drops' ? 'ItemDroppedOff' : 'ItemPickedUp');
    }
  }
}

async function begun({ before, given = [], at }: Edit, name: string): Promise<WorkflowHandle> {
  await files.publish(JSON.stringify({ name, meaning: 'Is edited.', ...before }));
  const handle = await files.start(name, {});
  if (JSON.stringify(before).includes('"Issue"')) {
    const outside = new Outside();
    outsides.set(`${handle.workflowId}/loan`, outside);
    files.attend(`${handle.workflowId}/loan`, outside);
    await vi.waitUntil(() => outside.roles.has('issue'), { timeout: 60_000, interval: 30 });
    await untilProgress(
      files.client.workflow.getHandle(`${handle.workflowId}/loan`),
      ({ activity }) => (activity as string) === 'Following',
    );
  }
  await steps(handle, given);
  await untilProgress(handle, ({ state }) => JSON.stringify(state) === JSON.stringify(at));
  return handle;
}

eachSampled(
  test.concurrent,
  edits,
  9,
)('$name', async (edit) => {
  const name = uniqueName('Edited');
  const handle = await begun(edit, name);
  if (edit.name.startsWith('23')) await untilProgress(handle, ({ halted }) => halted !== null);
  const to = {
    version: 2,
    file: { name, meaning: 'Is edited.', ...edit.after },
    publishedAt: '2026-01-05T09:00:00.000Z',
  };
  const request = { semantics: 1, to, by: 'anna', why: 'a test' } as MigrationRequest;
  const resultOf = (asked: MigrationRequest) =>
    handle.query<MigrationResult, [MigrationRequest]>('migrationResult', asked);
  if (edit.refused) expect((await resultOf(request)).obstacles).toMatchObject([{ code: edit.refused }]);
  const planned = { ...request, plan: edit.plan ?? {} };
  const { kind, notes } = await resultOf(planned);
  expect({ kind, notes }).toEqual({ kind: 'carried', notes: edit.notes ?? [] });
  await handle.executeUpdate('migrate', { args: [planned], updateId: edit.name });
  await steps(handle, edit.later, 100);
  await expect(handle.result()).resolves.toEqual(edit.result);
  const history = await handle.fetchHistory();
  await Worker.runReplayHistory({ workflowBundle: await bundleOf() }, history, handle.workflowId);
  const path = new URL(`${edit.name}.history`, folder);
  if (process.env.RECORD_MIGRATIONS !== '1' || existsSync(path)) return;
  await mkdir(folder, { recursive: true });
  await writeFile(path, History.encode(nameless(history)).finish());
});

/** In place of the names of process and host, which are of no use and would be published. */
function nameless<Value>(value: Value): Value {
  const walk = (each: unknown): void => {
    if (typeof each !== 'object' || each === null || each instanceof Uint8Array) return;
    for (const [key, inner] of Object.entries(each)) {
      if (typeof inner === 'string' && /^\d+@/.test(inner))
        (each as Record<string, string>)[key] = 'recording';
      else walk(inner);
    }
  };
  walk(value);
  return value;
}

test('each edit has its recorded history, and all of them replay', async () => {
  const recorded = (await readdir(folder)).sort();
  expect(recorded).toEqual(edits.map(({ name }) => `${name}.history`).sort());
  const histories = recorded.map(async (file) => {
    const history = History.decode(await readFile(new URL(file, folder)));
    // A process knows its own key.
    const [first] = history.events;
    return { workflowId: first?.workflowExecutionStartedEventAttributes?.workflowId ?? file, history };
  });
  let count = 0;
  const replayed = Worker.runReplayHistories(
    { workflowBundle: await bundleOf() },
    await Promise.all(histories),
  );
  for await (const { workflowId, error } of replayed) {
    expect([workflowId, error]).toEqual([workflowId, undefined]);
    count += 1;
  }
  expect(count).toBe(edits.length);
});
