// The shipments in the service's command line: find, show and cancel, on what was booked over HTTP.
import { beforeEach, expect, test } from 'vitest';
import { createTestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { useInFile } from '../../support/use.ts';
import { wallOf } from '../../support/wall.ts';

const service = useInFile(() => createTestService());
const demo = useInFile(() => wallOf(service.address));
beforeEach(() => demo.sandbox('POST', 'reset'));

const { SERVICE_ENCRYPTION_KEY } = process.env;
const run = (...words: string[]) =>
  writtenByService(words, { DATABASE_URL: service.url, SERVICE_MODE: 'staging', SERVICE_ENCRYPTION_KEY });

async function found(...options: string[]): Promise<string[]> {
  const { shipments } = JSON.parse(await run('--json', 'shipment', 'find', 'demo', ...options));
  return (shipments as { shipmentUid: string }[]).map(({ shipmentUid }) => shipmentUid);
}

test('find gives shipments by uid, case number, user and locker, the latest first', async () => {
  const details = { referenceCaseNo: 'CASE-9' };
  const [first] = await demo.book('CreateLocalShipmentAsIssue', { toUserUid: 'user-anna', details });
  const [second] = await demo.book('CreateLocalShipmentAsIssue', { toUserUid: 'user-bram' });
  const { pupUid, lockerName } = await demo.shipment(second);
  expect(await found()).toEqual([second, first]);
  expect(await found('--shipment', first)).toEqual([first]);
  expect(await found('--case', 'CASE-9')).toEqual([first]);
  expect(await found('--user', 'user-anna')).toEqual([first]);
  expect(await found('--user', 'bram@example.com')).toEqual([second]);
  expect(await found('--locker', `${pupUid}/${lockerName}`)).toEqual([second]);
  expect(await found('--locker', `${pupUid}-${lockerName}`, '--limit', '1')).toEqual([second]);
  await demo.cancel(second);
  expect(await found('--active')).toEqual([first]);
});

test('show has what happened to it, its accesses and its callbacks; the locker is named as find takes it', async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
  await demo.drop(shipmentUid);
  const { pupUid, lockerName } = await demo.shipment(shipmentUid);
  const said = await run('shipment', 'show', 'demo', shipmentUid);
  expect(said).toContain(`${pupUid}/${lockerName} (${pupUid}-${lockerName})`);
  expect(said).toMatch(/CreateLocalShipmentAsIssue +demo +Success/);
  expect(said).toMatch(/the locker was opened for DropOff +demo/);
  expect(said).toMatch(/became ReadyForPickup/);
  expect(said).toMatch(/ReadyForPickup +not sent: there was no url/);
});

test('cancel follows the rules: the item left behind is told, and a second one is refused', async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
  await demo.drop(shipmentUid);
  expect(await run('shipment', 'cancel', 'demo', shipmentUid, '--yes')).toContain('cancelled');
  expect(await demo.ok('GetShipment', { shipmentUid })).toMatchObject({
    stateCode: 'Cancelled',
    isItemLeft: true,
  });
  expect(await run('shipment', 'show', 'demo', shipmentUid)).toMatch(/CancelShipment +an operator +Success/);
  expect(await run('shipment', 'find', 'demo')).toContain('Cancelled, item left');
  await expect(run('shipment', 'cancel', 'demo', shipmentUid, '--yes')).rejects.toThrow('Cancelled');
});

test("another tenant's shipment and locker are not there", async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
  for (const verb of [['show'], ['cancel', '--yes']])
    await expect(run('shipment', ...verb, 'other', shipmentUid)).rejects.toThrow('no shipment');
  await expect(run('shipment', 'find', 'other', '--locker', 'pup-central/1')).rejects.toThrow('no locker');
  expect(JSON.parse(await run('--json', 'shipment', 'find', 'other')).shipments).toEqual([]);
  expect(await demo.states(shipmentUid)).toEqual(['ReadyForDropoff']);
});
