// The delivery log, and what an operator does with it by commands.
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { tenantIdOf } from '../../../../service/administration/tenants.ts';
import { deliveriesOf } from '../../../../service/callbacks/queue/delivery-log.ts';
import { callbackStatusOf } from '../../../../service/callbacks/queue/delivery-status.ts';
import { forgetOldEvents } from '../../../../service/housekeeping.ts';
import { keyFingerprint } from '../../../../shared/settings/key-fingerprint.ts';
import { sandboxAs } from '../../../support/sandbox.ts';
import { writtenByService } from '../../../support/service-command.ts';
import { until, untilDelivered, useServiceWithSender } from '../support.ts';

const { service, receiver } = useServiceWithSender();
afterEach(async () => void (await (await sandboxAs(service.address))('POST', 'reset')));

const deliveries = async (filter: { readonly shipmentUid?: string; readonly pending?: true }) =>
  deliveriesOf(service.database, await tenantIdOf(service.database, 'demo'), { ...filter, limit: 100 });

const status = async () =>
  callbackStatusOf(service.database, await tenantIdOf(service.database, 'demo'), service.settings.encryption);

const command = (...words: string[]) => writtenByService(words, { DATABASE_URL: service.url });

test('a delivered callback shows its attempts, its failures and the answer that accepted it', async () => {
  receiver.answer = () => (receiver.received.length < 3 ? 500 : 202);
  const shipmentUid = await service.shipment();
  await untilDelivered(service);
  expect(await deliveries({ shipmentUid })).toMatchObject([
    {
      shipmentUid,
      stateCode: 'ReadyForPickup',
      status: 'Delivered',
      attempts: 3,
      answerStatus: 202,
      failures: [
        { attempt: 2, answerStatus: 500, error: 'answered 500' },
        { attempt: 1, answerStatus: 500 },
      ],
      nextAttemptAt: null,
    },
  ]);
});

test('failures are kept bounded, the latest ones', { tags: 'long' }, async () => {
  receiver.answer = () => 500;
  const shipmentUid = await service.shipment();
  await until(() => receiver.received.length > 13);
  const [delivery] = await deliveries({ shipmentUid });
  expect(delivery?.failures).toHaveLength(10);
  expect(delivery).toMatchObject({ status: 'Pending' });
});

test('the first pending callback of a shipment shows its next attempt, as long as there is a url', async () => {
  receiver.answer = () => 500;
  const shipmentUid = await service.shipment();
  await service.events(shipmentUid, 1);
  await until(async () => (await deliveries({ pending: true }))[1]?.nextAttemptAt != null);
  expect((await deliveries({ shipmentUid }))[0]).toMatchObject({ status: 'Pending', nextAttemptAt: null });
  await service.configure({ url: null, authType: 'None' });
  await until(async () => (await deliveries({ pending: true }))[1]?.nextAttemptAt === null);
});

test('a receiver that is down is shown, with the time of the next probe', async () => {
  await receiver.down();
  await service.shipment();
  await until(async () => (await status()).down !== null);
  expect(await status()).toMatchObject({
    url: receiver.url,
    waiting: 1,
    down: { error: expect.any(String), nextProbeAt: expect.any(Date) },
  });
  expect(await command('callback', 'status', 'demo')).toContain('down since');
});

test('a callback whose signature the receiver does not take is shown as refused, with the fingerprints of the keys', {
  tags: 'long',
}, async () => {
  receiver.answer = () => 401;
  const authKey = 'whsec_bG9ja2VyZmxvdyBleGFtcGxlIGtleQ==';
  await service.configure({ url: receiver.url, authType: 'HMAC', authKey });
  const shipmentUid = await service.shipment();
  await until(async () => (await status()).refused !== null);
  expect(await status()).toMatchObject({
    refused: { shipmentUid, error: 'answered 401' },
    keys: [
      { purpose: 'Signing', fingerprint: keyFingerprint(authKey), validUntil: null },
      { purpose: 'Signing', validUntil: expect.any(Date) },
    ],
  });
  expect((await deliveries({ shipmentUid }))[0]?.failures[0]).toMatchObject({
    error: 'answered 401',
  });
  const SERVICE_ENCRYPTION_KEY = process.env.SERVICE_ENCRYPTION_KEY ?? '';
  const words = await writtenByService(['callback', 'status', 'demo'], {
    DATABASE_URL: service.url,
    SERVICE_ENCRYPTION_KEY,
  });
  expect(words).toMatch(new RegExp(`refused +${shipmentUid} at .*answered 401`));
  expect(words).toMatch(new RegExp(`keys +signs with ${keyFingerprint(authKey)}, signs with \\w{8} until 2`));
  expect(words).not.toContain(authKey.slice(6));
  expect(await command('callback', 'status', 'demo')).toContain('SERVICE_ENCRYPTION_KEY_FILE is not set');
  receiver.answer = () => 204;
  await untilDelivered(service);
  expect((await status()).refused).toBeNull();
});

test('callbacks are sent again one by one or as a range, under their ids and in order', async () => {
  const shipmentUid = await service.shipment();
  await service.events(shipmentUid, 2);
  await untilDelivered(service);
  const ids = receiver.received.map(({ id }) => id);
  const events = (await deliveries({ shipmentUid })).map(({ eventId }) => eventId).reverse();
  expect(await command('callback', 'resend', 'demo', '--event', String(events[1]))).toContain('1 callbacks');
  await untilDelivered(service);
  expect(await command('callback', 'resend', 'demo', '--from', String(events[0]))).toContain('3 callbacks');
  await untilDelivered(service);
  expect(receiver.received.map(({ id }) => id)).toEqual([...ids, ids[1], ...ids]);
});

// assumptions: Callbacks, How long the delivery log goes back
test('after the retention an event is forgotten, unless it is still to be delivered', async () => {
  const [delivered, young] = [await service.shipment(), await service.shipment()];
  await untilDelivered(service);
  receiver.answer = () => 500;
  const stuck = await service.shipment();
  const old = sql`now() - interval '11 days'`;
  await sql`
    update shipment_events set created_at = ${old}, delivered_at = case when not is_pending then ${old} end
    where shipment_uid in (${delivered}, ${stuck})
  `.execute(service.database);
  await forgetOldEvents(service.database, 11 + 1);
  expect(await deliveries({ shipmentUid: delivered })).toHaveLength(1);
  await forgetOldEvents(service.database, 11 - 1);
  expect(await deliveries({ shipmentUid: delivered })).toEqual([]);
  expect(await deliveries({ shipmentUid: young })).toHaveLength(1);
  expect(await deliveries({ shipmentUid: stuck })).toHaveLength(1);
});

test('the command line lists the delivery of callbacks', async () => {
  const shipmentUid = await service.shipment();
  await untilDelivered(service);
  expect(await command('callback', 'list', 'demo', '--shipment', shipmentUid)).toMatch(
    /ReadyForPickup {2}delivered \S+ +1\n$/,
  );
});
