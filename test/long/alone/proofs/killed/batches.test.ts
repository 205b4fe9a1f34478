// @module-tag invariant
// A batch of thousands, whose worker is killed in the middle: each process is acted on once, and none is forgotten.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { LockerFlows } from '../../../../../client/locker-flows.ts';
import { eachAtOnce } from '../../../../../processes/at-once.ts';
import { type BatchView, readBatch } from '../../../../../processes/batches/read-batches.ts';
import { startBatch } from '../../../../../processes/batches/start-batch.ts';
import { killedProcess } from '../../../../proofs/killed/killed-process.ts';

const COUNT = 4_000;

const lending = (name: string) =>
  JSON.stringify({
    name,
    meaning: 'Lends something.',
    initial: 'lent',
    states: { lent: { after: { P10D: 'over' } }, over: { type: 'final' } },
  });

async function updatesOf(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length;
}

test(`a batch of ${COUNT} extends each process once, though its worker is killed again and again`, {
  timeout: 1_800_000,
}, async () => {
  await using running = await killedProcess('Killed', lending);
  const { client, taskQueue, name } = running;
  const flows = new LockerFlows(client, { taskQueue });
  const commandContext = { client, taskQueue, flows, by: 'anna', why: 'closed on Monday' };
  const keys = Array.from({ length: COUNT }, () => `${name}-${randomUUID()}`);
  const begin = (workflowId: string) => client.workflow.start(name, { taskQueue, workflowId, args: [{}] });
  for await (const { outcome } of eachAtOnce(keys, begin)) expect(outcome).toMatchObject({ done: true });
  const id = await startBatch(commandContext, {
    command: 'extend',
    fields: { next: true, extendBy: 'P1D' },
    keys,
    rate: 1_000,
  });
  const until = (holds: (view: BatchView) => boolean) =>
    vi.waitFor(
      async () => {
        const view = await readBatch(commandContext, id);
        if (!holds(view)) throw new Error(JSON.stringify(view));
        return view;
      },
      { timeout: 900_000, interval: 100 },
    );
  for (const share of [0.1, 0.5, 0.8]) {
    await until(({ status }) => (status?.done ?? 0) >= share * COUNT);
    await running.kill();
  }
  const { status } = await until(({ closedAt }) => closedAt !== null);
  expect(status).toEqual({ phase: 'done', total: COUNT, done: COUNT, refused: 0, unknown: 0 });
  const counts = new Set<number>();
  const handles = keys.map((key) => client.workflow.getHandle(key));
  for await (const { outcome } of eachAtOnce(handles, updatesOf)) if (outcome.done) counts.add(outcome.value);
  expect([...counts]).toEqual([1]);
});
