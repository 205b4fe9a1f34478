// A flow is followed through times in which no worker is there to answer, as while one is replaced.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { examples } from '../../contract/examples.ts';
import { newTaskQueue, startWorker, temporalClient } from '../support/temporal.ts';
import { Outside } from '../workflows/outside.ts';

const workflows = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

test('a flow that no worker answers for is followed once one does', { timeout: 120_000 }, async () => {
  const taskQueue = newTaskQueue();
  const flows = new LockerFlows(await temporalClient(), { taskQueue });
  const { request } = examples.CreateLocalShipmentAsIssue;
  const work = () => startWorker({ taskQueue, workflows, activities: new Outside().activities });
  const before = await work();
  const handle = await flows.start('Issue', `issue-${randomUUID()}`, { request });
  await handle.follow({ everyMs: 50 }).next();
  await before.stop();
  const followed = handle.follow({ everyMs: 50 }).next();
  await Promise.race([followed, expect(handle.progress()).rejects.toThrow()]);
  await work();
  expect((await followed).value).toMatchObject({ flow: 'Issue' });
});
