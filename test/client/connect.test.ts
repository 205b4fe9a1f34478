// What the connection to Temporal takes.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { connectTemporal } from '../../client/connect.ts';
import { newTaskQueue } from '../support/temporal.ts';

test('a history of more than 4 MB is read', async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
  const { client, close } = await connectTemporal();
  onTestFinished(close);
  const handle = await client.workflow.start('Nobody', {
    taskQueue: newTaskQueue(),
    workflowId: `large-${randomUUID()}`,
  });
  onTestFinished(() => handle.terminate().then(() => undefined));
  for (let signals = 0; signals < 5; signals++) await handle.signal('event', 'x'.repeat(1_000_000));
  expect((await handle.fetchHistory()).events).toHaveLength(7);
});

test('a call that waits for its next try while the connection is closed fails, and ends nothing else', async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1');
  const { client, close } = await connectTemporal({ lazily: true });
  const call = client.workflow.getHandle('none').describe();
  const failed = expect(call).rejects.toThrow('Failed to describe');
  await setTimeout(50);
  await close();
  await failed;
});
