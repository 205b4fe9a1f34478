// The inbox over HTTP, on everything real: unmatched callbacks, acted on by the request that their entry names.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { InboxEntry, InboxView } from '../../../processes/inbox/inbox-entry.ts';
import { keepReport } from '../../../shared/routing/keep-unmatched.ts';
import { newConsoleOf, readAs, type TestConsole, useConsoleOf } from '../../console/console-world.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { reportOf } from '../../workflows/outside.ts';

// Nothing is found out about a booking: a person decides.
const vendor = {
  name: 'a service that cannot be asked',
  switches: { idempotencyKey: false },
  settings: { LOCKER_CAPABILITIES: '' },
};
const installation = useInstallation(vendor);
const console = useConsoleOf(installation);

async function sent(path: string, body: object) {
  const answer = await console().post(path, body, { cookie: await console().cookieOf('bram') });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const inboxOf = (server: TestConsole) => readAs<InboxView>(server, 'bram', '/v1/inbox/entries');

const untilEntry = (isIt: (entry: InboxEntry) => boolean): Promise<InboxEntry> =>
  vi.waitUntil(async () => (await inboxOf(console())).entries.find(isIt), {
    timeout: 120_000,
    interval: 200,
  });

/** A report of a shipment that no process has. */
async function unmatched(): Promise<{ readonly workflowId: string; readonly shipmentUid: string }> {
  const { client, taskQueue } = installation();
  const shipmentUid = `shipment-${randomUUID()}`;
  const report = reportOf(shipmentUid, 'ReadyForPickup', '2031-05-01T12:00:00');
  const of = { referenceCaseNo: 'order-of-nobody', pupUid: 'pup-central' };
  return {
    workflowId: await keepReport(client, { taskQueue, keepFor: 'P30D' }, { ...report, ...of }),
    shipmentUid,
  };
}

/** By the request that the entry itself names. */
const act = async ({ actions }: InboxEntry, action: string, values: object) => {
  const { path, body } = actions.find(({ id }) => id === action)?.request ?? { path: '/none', body: {} };
  return await sent(path, { ...body, ...values });
};

test('an unmatched callback is shown with its case, and dropped in the name of the person', async () => {
  const { workflowId, shipmentUid } = await unmatched();
  const entry = await untilEntry(({ id }) => id === `unmatched:${workflowId}`);
  expect(entry).toMatchObject({
    kind: 'unmatched',
    shipmentUid,
    pupUid: 'pup-central',
    why: expect.stringContaining('case number order-of-nobody'),
    actions: [{ id: 'claim' }, { id: 'drop', isDestructive: true }],
  });
  const claimed = await act(entry, 'claim', { why: 'mine', to: 'order-of-nobody' });
  expect(claimed).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('there is no process') },
  });
  expect(await act(entry, 'drop', {})).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'why', message: expect.any(String) }] },
  });
  expect(await act(entry, 'drop', { why: 'a test of theirs' })).toMatchObject({ status: 200 });
  expect(await installation().client.workflow.getHandle(workflowId).result()).toMatchObject({
    ended: 'Dropped',
    by: 'bram',
    why: 'a test of theirs',
  });
});

test('another task queue has nothing of this one in its inbox', async () => {
  const { workflowId } = await unmatched();
  const own = await untilEntry(({ id }) => id === `unmatched:${workflowId}`);
  await using other = await newConsoleOf({ ...installation(), taskQueue: `other-${randomUUID()}` });
  const { entries } = await inboxOf(other);
  expect(entries.filter(({ kind }) => kind !== 'itemLeft')).toEqual([]);
  await act(own, 'drop', { why: 'the test is over' });
});
