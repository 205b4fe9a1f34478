// ShipmentAccess: a pick-up that leaves a kept-booked shipment as it is, told to the tenant that asks for it, and what the
// service shows of it without any message.
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { callbackHeaders } from '../../../../contract/index.ts';
import { tenantIdOf } from '../../../../service/administration/tenants.ts';
import { deliveriesOf } from '../../../../service/callbacks/queue/delivery-log.ts';
import type { Caller } from '../../../support/caller.ts';
import { sandboxAs } from '../../../support/sandbox.ts';
import { until, untilDelivered, useServiceWithSender } from '../support.ts';

const { service, receiver } = useServiceWithSender();

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/;

async function ok(...given: Parameters<Caller>): Promise<Record<string, unknown>> {
  const { body } = await service.call(...given);
  if (body.success !== true) throw new Error(`${given[0]} was refused: ${JSON.stringify(body)}`);
  return body;
}

async function collect(keepBookedAfterPickUp: boolean): Promise<string> {
  const { shipmentUid } = await ok('CreateCollectOnlyShipment', {
    pupUid: 'pup-central',
    toUserUid: 'user-anna',
    keepBookedAfterPickUp,
    allowLargerLockers: true,
    allowOverflowLockers: true,
    dimension: { width: 10, height: 10, length: 10 },
    details: { referenceNo: 'R-1', referenceCaseNo: 'CASE-1', description: 'Keys' },
  });
  return String(shipmentUid);
}

const listed = async (shipmentUid: string) => {
  const { items } = await ok('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
  return (items as Record<string, unknown>[])[0] ?? {};
};

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
/** Without late messages of shipments of earlier tests. */
const bodiesOf = (shipmentUid: string) =>
  bodies().filter(({ message }) => message.shipmentUid === shipmentUid);

// assumptions: States, Pick-ups with KeepBookedAfterPickUp; assumptions: Callbacks, ShipmentAccess
test('a tenant that asks is told of each pick-up of a kept-booked shipment, in order and signed as every callback', async () => {
  const { url } = receiver;
  const { authKey } = await service.configure({
    url,
    authType: 'HMAC',
    resetKey: true,
    accessMessages: true,
    extraFields: true,
  });
  const shipmentUid = await collect(true);
  for (let times = 0; times < 2; times++) await service.unlock(shipmentUid, 'PickUp');
  await ok('CancelShipment', { shipmentUid });
  await untilDelivered(service);
  const message = {
    shipmentUid,
    shipmentType: 'CollectOnlyShipment',
    stateStart: expect.stringMatching(MOMENT),
    referenceNo: 'R-1',
    referenceCaseNo: 'CASE-1',
    description: 'Keys',
    pupUid: 'pup-central',
    fromUserUid: expect.any(String),
    toUserUid: 'user-anna',
  };
  const access = {
    messageType: 'ShipmentAccess',
    message: {
      ...message,
      stateCode: 'ReadyForPickup',
      accessGoal: 'PickUp',
      occurredAt: expect.stringMatching(MOMENT),
    },
  };
  expect(bodiesOf(shipmentUid)).toEqual([
    access,
    access,
    { messageType: 'ShipmentStatusUpdate', message: { ...message, stateCode: 'Cancelled' } },
  ]);
  const [first, second, end] = bodiesOf(shipmentUid).map((body) => body.message);
  expect(first.occurredAt < second.occurredAt).toBe(true);
  expect([second.stateStart, end.stateStart > first.stateStart]).toEqual([first.stateStart, true]);
  for (const { body, headers } of receiver.received) {
    expect(headers[callbackHeaders.hmac]).toBeDefined();
    expect(new Webhook(String(authKey)).verify(body, headers as Record<string, string>)).toBeDefined();
  }
  expect(new Set(receiver.received.map(({ headers }) => headers[callbackHeaders.hmac])).size).toBe(1);
});

test('only who asks is told, and only while it asks', async () => {
  const { url } = receiver;
  const shipmentUid = await collect(true);
  const asking = await service.configure({ url, authType: 'None', accessMessages: true });
  expect(asking).toMatchObject({ accessMessages: true });
  // Without a value nothing changes.
  expect(await service.configure({ url, authType: 'None' })).toMatchObject({
    accessMessages: true,
    changed: false,
  });
  expect(await service.configure({ url, authType: 'None', accessMessages: false })).toMatchObject({
    accessMessages: false,
    changed: true,
  });
  await service.unlock(shipmentUid, 'PickUp');
  await service.configure({ url, authType: 'None', accessMessages: true });
  // A door that was opened without a goal is not picked up from, and a pick-up that changes the state is told by that.
  await ok('UnlockShipmentLocker', { shipmentUid });
  const once = await collect(false);
  await service.unlock(once, 'PickUp');
  await untilDelivered(service);
  expect(bodies()).toEqual([
    expect.objectContaining({
      messageType: 'ShipmentStatusUpdate',
      message: expect.objectContaining({ shipmentUid: once, stateCode: 'Completed' }),
    }),
  ]);
});

test('a message of a pick-up says what was so at the pick-up, however late it is accepted', async () => {
  receiver.answer = () => 500;
  await service.configure({ url: receiver.url, authType: 'None', accessMessages: true });
  const shipmentUid = await collect(true);
  await service.unlock(shipmentUid, 'PickUp');
  await until(() => receiver.received.length > 0);
  await ok('SetShipmentDetails', {
    shipmentUid,
    referenceNo: 'R-2',
    referenceCaseNo: 'CASE-2',
    description: null,
  });
  receiver.answer = () => 204;
  await untilDelivered(service);
  const [accepted] = receiver.accepted
    .map(({ body }) => JSON.parse(body).message)
    .filter((message) => message.shipmentUid === shipmentUid);
  expect(accepted).toMatchObject({ referenceNo: 'R-1', referenceCaseNo: 'CASE-1', description: 'Keys' });
  const tenantId = await tenantIdOf(service.database, 'demo');
  const [delivery] = await deliveriesOf(service.database, tenantId, { shipmentUid, limit: 1 });
  expect(delivery).toMatchObject({ messageType: 'ShipmentAccess', status: 'Delivered' });
});

// assumptions: Operating, GetShipmentEvents
test('the pick-up of a kept-booked shipment is in its history and in listings, also where nobody asks for messages', async () => {
  const shipmentUid = await collect(true);
  expect(await listed(shipmentUid)).toMatchObject({ lastPickUpAt: null });
  const { updatedAt } = await ok('GetShipment', { shipmentUid });
  await service.unlock(shipmentUid, 'PickUp');
  const { items } = await ok('GetShipmentEvents', { shipmentUid });
  const openings = (items as { kind: string; accessGoal: string; occurredAt: string }[]).filter(
    ({ kind }) => kind !== 'Requested',
  );
  expect(openings).toMatchObject([{ kind: 'LockerOpened', accessGoal: 'PickUp' }]);
  const shipment = await ok('GetShipment', { shipmentUid });
  expect(shipment).toMatchObject({
    stateCode: 'ReadyForPickup',
    lastPickUpAt: openings[0]?.occurredAt,
  });
  expect(await listed(shipmentUid)).toMatchObject({ lastPickUpAt: shipment.lastPickUpAt });
  // Who reads what has changed since sees it.
  expect(String(shipment.updatedAt) > String(updatedAt)).toBe(true);
  const once = await collect(false);
  await service.unlock(once, 'PickUp');
  expect(await listed(once)).toMatchObject({ stateCode: 'Completed', lastPickUpAt: null });
});

test('with messages asked for, the history has each pick-up once, and no change of state', async () => {
  await service.configure({ url: receiver.url, authType: 'None', accessMessages: true });
  const shipmentUid = await collect(true);
  await service.unlock(shipmentUid, 'PickUp');
  await untilDelivered(service);
  const { items } = await ok('GetShipmentEvents', { shipmentUid });
  expect((items as { kind: string }[]).map(({ kind }) => kind)).toEqual([
    ...['Requested', 'Requested', 'LockerOpened'],
  ]);
  const [{ message } = { message: null }] = bodiesOf(shipmentUid);
  expect(message).toMatchObject({ occurredAt: (await listed(shipmentUid)).lastPickUpAt });
});

test('as a basic service it sends none, whoever asks', async () => {
  const sandbox = await sandboxAs(service.address);
  await service.configure({ url: receiver.url, authType: 'None', accessMessages: true });
  await sandbox('POST', 'switches', { bareVendor: true });
  const shipmentUid = await collect(true);
  await service.unlock(shipmentUid, 'PickUp');
  await ok('CancelShipment', { shipmentUid });
  await untilDelivered(service);
  await sandbox('POST', 'switches', { bareVendor: false });
  expect(bodiesOf(shipmentUid)).toEqual([
    { messageType: 'ShipmentStatusUpdate', message: expect.objectContaining({ stateCode: 'Cancelled' }) },
  ]);
});
