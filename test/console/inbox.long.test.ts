// The inbox over HTTP, on everything real: parked callbacks, acted on by the request that their entry names.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { InboxEntry, InboxView } from '../../processes/views/inbox/inbox-entry.ts';
import { parkReport } from '../../shared/routing/park.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';
import { newConsoleOf, type TestConsole, useConsoleOf } from './console-world.ts';

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

async function inboxOf({ address, cookieOf }: TestConsole): Promise<InboxView> {
  const answer = await fetch(`${address}/v1/inbox/entries`, { headers: { cookie: await cookieOf('bram') } });
  return (await answer.json()) as InboxView;
}

const untilInbox = (isSo: (inbox: InboxView) => boolean) =>
  vi.waitUntil(
    async () => {
      const inbox = await inboxOf(console());
      return isSo(inbox) && inbox;
    },
    { timeout: 120_000, interval: 200 },
  );

async function untilEntry(isIt: (entry: InboxEntry) => boolean): Promise<InboxEntry> {
  const { entries } = await untilInbox((inbox) => inbox.entries.some(isIt));
  return entries.find(isIt) as InboxEntry;
}

const reportOf = (shipmentUid: string): ShipmentReport => ({
  shipmentUid,
  stateCode: 'ReadyForPickup',
  stateStart: '2031-05-01T12:00:00Z',
  shipmentType: 'LocalPupShipment',
  referenceNo: null,
  referenceCaseNo: 'order-of-nobody',
  description: null,
  pupUid: 'pup-central',
  fromUserUid: null,
  toUserUid: null,
  receivedAt: new Date().toISOString(),
  source: 'callback' as const,
});

/** By the request that the entry itself names. */
const act = async ({ actions }: InboxEntry, action: string, values: object) => {
  const { path, body } = actions.find(({ id }) => id === action)?.request ?? { path: '/none', body: {} };
  return await sent(path, { ...body, ...values });
};

test('a parked callback is shown with its case, and dropped in the name of the person', async () => {
  const { client, taskQueue } = installation();
  const shipmentUid = `shipment-${randomUUID()}`;
  const workflowId = await parkReport(client, { taskQueue, parkFor: 'P30D' }, reportOf(shipmentUid));
  const entry = await untilEntry(({ id }) => id === `parked:${workflowId}`);
  expect(entry).toMatchObject({
    kind: 'parked',
    shipmentUid,
    pupUid: 'pup-central',
    why: expect.stringContaining('case order-of-nobody'),
    actions: [{ id: 'claim' }, { id: 'drop', isDestructive: true }],
  });
  const claimed = await act(entry, 'claim', { why: 'mine', to: 'order-of-nobody' });
  expect(claimed).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('there is no flow') },
  });
  expect(await act(entry, 'drop', {})).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'why', message: expect.any(String) }] },
  });
  expect(await act(entry, 'drop', { why: 'a test of theirs' })).toMatchObject({ status: 200 });
  expect(await client.workflow.getHandle(workflowId).result()).toMatchObject({
    ended: 'Dropped',
    by: 'bram',
    why: 'a test of theirs',
  });
});

test('another task queue has nothing of this one in its inbox', async () => {
  const { client, taskQueue } = installation();
  const shipmentUid = `shipment-${randomUUID()}`;
  const workflowId = await parkReport(client, { taskQueue, parkFor: 'P30D' }, reportOf(shipmentUid));
  const own = await untilEntry(({ id }) => id === `parked:${workflowId}`);
  await using other = await newConsoleOf({ ...installation(), taskQueue: `other-${randomUUID()}` });
  const { entries } = await inboxOf(other);
  expect(entries.filter(({ kind }) => kind !== 'itemLeft')).toEqual([]);
  await act(own, 'drop', { why: 'the test is over' });
});
