// The shipments in the service's command line, on what was booked over HTTP.
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
  await demo.drop(second);
  await demo.cancel(second);
  expect(await run('shipment', 'find', 'demo')).toContain('Cancelled, item left');
  expect(await found('--active')).toEqual([first]);
});

test("another tenant's shipment and locker are not there", async () => {
  await demo.book('CreateLocalShipmentAsIssue');
  await expect(run('shipment', 'find', 'other', '--locker', 'pup-central/1')).rejects.toThrow('no locker');
  expect(JSON.parse(await run('--json', 'shipment', 'find', 'other')).shipments).toEqual([]);
});
