// A process that continues as a new run at once after its migration: it keeps who migrated it, the names that its events had, and
// that twice is once.
import { expect, test, vi } from 'vitest';
import type { Migrated } from '../../../driver/index.ts';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import { runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
const counting = (name: string, states: object, initial: string): FlowFile =>
  ({
    ...{ name, meaning: 'Counts.', context: { sum: 0 }, initial },
    states: { ...states, over: { type: 'final' } },
    output: '${context.sum}',
  }) as unknown as FlowFile;

const add = { actions: { type: 'assign', params: { sum: '${context.sum + 1}' } } };
const asking = (of: string) => ({ src: 'ask', input: { of, question: 'Is it whole?' }, onDone: 'over' });
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.

test('a migration is kept by the runs that follow it', async () => {
  const name = uniqueName('Counting');
  const first = counting(
    name,
    {
      here: { on: { add, end: 'over' }, after: { P1D: 'over' }, invoke: { id: 'whole', ...asking('desk') } },
    },
    'here',
  );
  const next = counting(
    name,
    {
      there: {
        ...{ was: 'here', on: { plus: { ...add, was: 'add' }, stop: { target: 'over', was: 'end' } } },
        ...{ after: { P2D: 'over' }, invoke: { id: 'check', was: 'whole', ...asking('store') } },
      },
    },
    'there',
  );
  await files.publish(JSON.stringify(first));
  const handle = await files.start(name, {});
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  const { runId } = await handle.describe();
  // The suggestion to continue comes with the first task after 20 events: that of the migration, or of the event after it.
  let id = 0;
  const told = async () => handle.signal('event', { type: 'add', id: String(++id) });
  while ((await handle.describe()).historyLength < 14) await told();
  const request = { semantics: 1, to: { file: next, version: 2 }, by: 'anna', why: 'a test' };
  const migrate = () =>
    handle.executeUpdate<Migrated, [object]>('migrate', { args: [request], updateId: 'batch/1' });
  const migrated = await migrate();
  await told();
  await vi.waitUntil(async () => (await handle.describe()).runId !== runId, {
    timeout: 60_000,
    interval: 30,
  });
  expect(await migrate()).toEqual(migrated);
  const progress = await untilProgress(handle, ({ state }) => state === 'there');
  expect(progress).toMatchObject({
    version: 2,
    migrations: [migrated],
    questions: [{ id: 'check', of: 'store' }],
  });
  const { timers } = progress;
  expect(timers).toHaveLength(1);
  await files.restartWorker();
  await handle.signal('event', { type: 'plus', id: 'new' });
  await handle.signal('event', { type: 'end', id: 'old' });
  await expect(handle.result()).resolves.toBe(id + 1);
});
