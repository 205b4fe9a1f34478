// A process whose history grows long goes on as a new run: with its version, its state and its open deadline.
import { expect, onTestFinished, test } from 'vitest';
import { searchAttributes } from '../../../contract/search-attributes.ts';
import { startTemporalServer } from '../../../local/temporal-server.ts';
import { eventsOf } from '../../support/history.ts';
import { parcels, untilProgress } from '../fixtures/parcels.ts';

test('a continued process keeps its version, its state, its deadline and every signal', async () => {
  const server = await startTemporalServer({
    searchAttributes,
    dynamicConfiguration: { 'limit.historyCount.suggestContinueAsNew': '20' },
  });
  onTestFinished(() => server.stop());
  const { work, start, client, calls } = await parcels({}, server.address);
  const activities = { book: async () => [], bookNewly: async () => [] };
  const worker = await work('parcel-1.ts', { activities });
  const first = await start({ parcels: ['a'], deadline: 3_000 });
  const isReady = ({ value }: { value: string }) => value === 'following';
  await untilProgress(first, isReady);
  const { runId } = await first.describe();
  await worker.stop();
  await work('parcel-1-2.ts', { activities });
  const handle = client.workflow.getHandle(first.workflowId);
  const sent: string[] = [];
  for (let count = 0; count < 30; count++) {
    sent.push(`a s${count}`);
    await handle.signal('report', { parcel: 'a', state: `s${count}` });
  }
  await expect.poll(async () => (await handle.describe()).runId, { timeout: 60_000 }).not.toBe(runId);
  await untilProgress<{ overdue: boolean }>(handle, ({ overdue }) => overdue);
  await handle.signal('report', { parcel: 'a', state: 'delivered' });
  expect(await handle.result()).toEqual({ reports: [...sent, 'a delivered'], overdue: true });
  expect((await handle.describe()).searchAttributes.LockerFlowVersion).toEqual(['Parcel@1']);
  expect(await eventsOf(handle)).not.toContain('MARKER_RECORDED');
  expect(calls).toEqual([]);
});
