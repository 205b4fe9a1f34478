// A machine of one's own goes over to its second version on a real Temporal: its state has another name there, and a shorter
// deadline.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import type { Migrated, Progress, Verdict } from '../../../driver/index.ts';
import { bundleOf } from '../../support/bundles.ts';
import { eventsOf } from '../../support/history.ts';
import { newTaskQueue, startWorker, temporalClient } from '../../support/temporal.ts';

const fixture = (file: string) => fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));
const both = fixture('kept-parcel-1-2.ts');

const asked = (plan: object) => ({
  ...{ semantics: 1, to: { version: 2 }, by: 'anna', why: 'shorter shelf time', plan },
});

test('a state is renamed and its deadline shortened while a process waits there', async () => {
  const client = await temporalClient();
  const taskQueue = newTaskQueue();
  const first = await startWorker({ workflows: fixture('kept-parcel-1.ts'), taskQueue });
  const begun = Date.now();
  const workflowId = randomUUID();
  const handle = await client.workflow.start('KeptParcel', { taskQueue, workflowId });
  const progress = () => handle.query<Progress>('progress');
  expect(await progress()).toMatchObject({ value: 'kept' });
  await first.stop();
  await startWorker({ workflows: both, taskQueue });

  // Nothing says what the state is now: it is refused, and nobody sees that somebody asked.
  const before = await eventsOf(handle);
  const verdict = (plan: object) => handle.query<Verdict, [object]>('migrationVerdict', asked(plan));
  expect(await verdict({})).toMatchObject({
    verdict: 'needsPlan',
    obstacles: [{ code: 'StateRemoved', at: 'kept' }],
  });
  const plan = { states: { kept: 'waiting' } };
  expect(await verdict(plan)).toMatchObject({ verdict: 'carried', outcome: { state: 'waiting' } });
  expect(await eventsOf(handle)).toEqual(before);

  const migrated = await handle.executeUpdate<Migrated, [object]>('migrate', {
    args: [asked(plan)],
    updateId: 'batch/1',
  });
  expect(migrated).toMatchObject({ from: 1, to: 2, by: 'anna' });
  const { value, awaits } = await progress();
  expect(value).toBe('waiting');
  const [timer] = awaits.timers;
  const week = 7 * 86_400_000;
  const dueAt = Date.parse(timer?.until ?? '');
  // From the moment at which the state was entered, which is after the start was asked for and before the worker was changed.
  expect(dueAt).toBeGreaterThanOrEqual(begun + week);
  expect(dueAt).toBeLessThan(Date.parse(migrated.at) + week);
  // Accepted and completed, the two events of the task between, the old timer cancelled, the new one started.
  expect((await eventsOf(handle)).length - before.length).toBeLessThanOrEqual(6 + 2);

  await handle.signal('fetched');
  await handle.result();
  const workflowBundle = await bundleOf(both);
  await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory(), workflowId);
});
