// What goes wrong: a refusal ends the process with its code; a defect makes it wait for a repaired worker.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { eventsOf } from '../support/history.ts';
import { isLongSuite } from '../support/suite.ts';
import { parcels, untilProgress } from './fixtures/parcels.ts';

test('a refusal that no state takes fails the process with its code and details', async () => {
  const { work, start } = await parcels({
    book: async () => {
      throw ApplicationFailure.create({
        type: 'NoFittingLocker',
        message: 'too big',
        details: [7],
        nonRetryable: true,
      });
    },
  });
  await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await expect(handle.result()).rejects.toMatchObject({
    cause: { type: 'NoFittingLocker', message: 'too big', details: [7] },
  });
});

test.runIf(isLongSuite)(
  'a process with a defect in its definition waits, and continues with every signal after the repair',
  async () => {
    const { work, start, calls } = await parcels();
    const defective = await work('parcel-1-defective.ts');
    const handle = await start({ parcels: ['a'] });
    await untilProgress<{ value: string }>(handle, ({ value }) => value === 'following');
    for (const state of ['onTheWay', 'nearby', 'delivered'])
      await handle.signal('report', { parcel: 'a', state });
    await expect.poll(() => eventsOf(handle), { timeout: 60_000 }).toContain('WORKFLOW_TASK_FAILED');
    await defective.stop();
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await work('parcel-1.ts');
    expect(await handle.result()).toMatchObject({ reports: ['a onTheWay', 'a nearby', 'a delivered'] });
    expect(calls).toEqual(['book']);
  },
);
