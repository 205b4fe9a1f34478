// Migrations of processes for which no worker answers: who asks learns it, and does not wait for ever.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { migrateOne } from '../../processes/migrations.ts';
import { newTaskQueue, temporalClient } from '../support/temporal.ts';

test('a dry run of one process says that no worker answers for it', async () => {
  const client = await temporalClient();
  const workflowId = `Issue-${randomUUID()}`;
  const handle = await client.workflow.start('Issue', { taskQueue: newTaskQueue(), workflowId, args: [{}] });
  onTestFinished(() => handle.terminate().then(() => undefined));
  const input = {
    flow: 'Issue',
    to: 2,
    by: 'anna',
    why: 'a test',
    plan: {},
    back: false,
    waits: false,
    held: false,
    query: null,
    first: 0,
    rate: 1,
    maxRefused: 1,
  };
  await expect(migrateOne(client, input, workflowId, false, 1_000)).rejects.toMatchObject({
    kind: 'unreachable',
    code: 'NoWorker',
    message: expect.stringContaining(`no worker has answered for ${workflowId} within 1 s`),
  });
});
