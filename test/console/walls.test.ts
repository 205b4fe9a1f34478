// A wall, as the page reads it: whom each locker is for, what lies there, and until when.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { WallView } from '../../console/walls/walls-view.ts';
import { ourService } from '../end-to-end/installation.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';
import { issueRequest, type Name, useConsoleOf } from './console-world.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const patience = { timeout: 60_000 };

async function wallAs(name: Name, pupUid: string): Promise<WallView> {
  const headers = { cookie: await server().cookieOf(name) };
  const answer = await fetch(`${server().address}/api/walls/${pupUid}`, { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as WallView;
}

test('a locker says for whom it is, what lies there and until when, to those alone who may act', async () => {
  const { people, flows } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 2);
  const details = { description: 'Laptop', referenceNo: 'laptop-7' };
  const handle = await flows.start('Issue', `order-${randomUUID()}`, {
    request: { ...issueRequest, pupUid, details },
    deadlines: { issue: { dropOff: 'P2D' } },
  });
  const { shipmentUid } = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  await vi.waitFor(async () => {
    const { abouts } = await wallAs('bram', pupUid);
    expect(abouts[shipmentUid]).toMatchObject({
      people: ['Anna Jansen'],
      item: 'Laptop (laptop-7)',
      due: { isOverdue: false },
    });
  }, patience);
  expect(await wallAs('anna', pupUid)).toMatchObject({ abouts: {} });
  // Its item is still somebody's, once the process has ended.
  await people.dropOff(shipmentUid);
  await handle.cancel();
  await vi.waitFor(async () => {
    const { abouts, lockers } = await wallAs('bram', pupUid);
    expect(lockers.some(({ leftShipmentUid }) => leftShipmentUid === shipmentUid)).toBe(true);
    expect(abouts[shipmentUid]).toMatchObject({ people: ['Anna Jansen'], item: 'Laptop (laptop-7)' });
  }, patience);
  // Nobody's process has it: it is known by the shipment.
  const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid });
  const [own = ''] = shipmentUids as readonly string[];
  await vi.waitFor(async () => {
    const { abouts } = await wallAs('bram', pupUid);
    expect(abouts[own]).toMatchObject({ people: ['Anna Jansen'], due: null });
  }, patience);
});

test('a round has what was brought for the desk, whatever its process says, and for those alone who may act with whom', async () => {
  const { people } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 2);
  const { toUserUid: fromUserUid, ...place } = issueRequest;
  const { shipmentUids } = await people.call('CreateLocalShipmentAsIntake', {
    ...{ ...place, pupUid, fromUserUid },
    details: { description: 'Camera 3' },
  });
  const [shipmentUid = ''] = shipmentUids as readonly string[];
  await people.dropOff(shipmentUid);
  await vi.waitFor(async () => {
    const reasons = ['Take out what was brought'];
    expect((await wallAs('bram', pupUid)).round).toMatchObject([
      { reasons, item: 'Camera 3', people: ['from Anna Jansen'], open: { id: `open:${shipmentUid}` } },
    ]);
    const hidden = { item: null, people: [], open: null, out: null };
    expect((await wallAs('anna', pupUid)).round).toMatchObject([{ reasons, ...hidden }]);
  }, patience);
});
