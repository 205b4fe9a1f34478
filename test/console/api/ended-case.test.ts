// An ended case speaks of the past, offers no door, and leads to the process that has its item now.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { ProcessDetails } from '../../../console/process/process-view.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const patience = { timeout: 60_000, interval: 100 };

const details = async (key: string) => {
  const headers = { cookie: await server().cookieOf('bram') };
  const answer = await fetch(`${server().address}/v1/processes/${key}/details`, { headers });
  return (await answer.json()) as ProcessDetails;
};

test('stock whose process has ended is in stock, and the process that issues it has it now', async () => {
  const { flows, people } = installation();
  const { toUserUid: _, ...place } = issueRequest;
  const stock = `stock-${randomUUID()}`;
  const begun = await flows.start('Stock', stock, { request: place });
  const shipment = await vi.waitUntil(async () => {
    const progress = await begun.progress().catch(() => undefined);
    return progress?.shipments.stock;
  }, patience);
  const open = await details(stock);
  expect(open.lockers).toHaveLength(1);
  expect(open.overview).toMatchObject({ itemNow: null });
  await people.dropOff(shipment.shipmentUid);
  await begun.result();
  const words = `In stock, locker ${shipment.lockerName}`;
  expect(await details(stock)).toMatchObject({
    lockers: [],
    overview: { where: [{ words, pupUid: issueRequest.pupUid }], itemNow: null },
  });

  const issue = `issue-${randomUUID()}`;
  const request = { priorShipmentUid: shipment.shipmentUid, toUserUid: issueRequest.toUserUid };
  await flows.start('IssueFromStock', issue, { request });
  await vi.waitUntil(async () => (await details(stock)).overview.itemNow === issue, patience);
  // The shipment was read a moment before.
  const placeNow = async () => (await details(stock)).overview.where[0]?.words;
  await expect.poll(placeNow, patience).toBe(`In locker ${shipment.lockerName}`);
});
