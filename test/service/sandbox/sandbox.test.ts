// /sandbox over real HTTP: each route acts on the caller's tenant alone, and none exists in production.
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { switchedOffBy } from '../../../service/switches/switches.ts';
import { accessToken, callerAs } from '../../support/caller.ts';
import { messagesOf, notifiedStates } from '../../support/notifications.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { createTestService, withService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';
import { csv, suggestionsIn, uploaderAs } from '../accounts/suggestions/upload.ts';

const service = useInFile(() => createTestService());
const call = useInFile(() => callerAs(service.address));
const sandbox = useInFile(() => sandboxAs(service.address));
beforeEach(async () => {
  await sandbox('POST', 'reset');
  await sandbox('POST', 'switches', { bareVendor: false });
});

const booking = examples.CreateLocalShipment.request;
const book = async (lockerUid?: string) =>
  String((await call('CreateLocalShipment', { ...booking, lockerUid })).body.shipmentUid);

interface WallLocker {
  readonly state: string;
  readonly shipments: readonly object[];
}

async function lockers(): Promise<WallLocker[]> {
  const { body } = await call('GetLockers', { pageNo: 1, pageSize: 500 });
  return body.items as WallLocker[];
}

const countOf = (all: readonly WallLocker[], state: string) =>
  all.filter((locker) => locker.state === state).length;

test('reset does not change the switches and the callback address', async () => {
  await sandbox('POST', 'switches', { shuffledShipmentUids: true });
  const callback = { url: 'http://127.0.0.1:9/callbacks', authType: 'None' };
  await call('ConfigureCallback', callback);
  await sandbox('POST', 'reset');
  expect((await sandbox('GET', 'switches')).body).toMatchObject({ shuffledShipmentUids: true });
  const stored = await service.database.selectFrom('sandbox_switches').select('switches').execute();
  expect(stored).toMatchObject([{ switches: { shuffledShipmentUids: true } }]);
  expect((await call('ConfigureCallback', callback)).body).toMatchObject({ changed: false });
  await call('ConfigureCallback', { ...callback, url: null });
});

test('reset takes the tenant back to the demo data, and no other tenant', async () => {
  const other = await callerAs(service.address, 'other');
  const stock = { ...examples.CreateLocalShipmentAsStock.request, pupUid: 'pup-other' };
  const bookForeign = async () =>
    (await other('CreateLocalShipmentAsStock', stock, { 'idempotency-key': 'foreign' })).body;
  const foreign = await bookForeign();
  expect(foreign).toMatchObject({ success: true });
  const [foreignUid] = foreign.shipmentUids as string[];
  const object = { shipmentUid: foreignUid, details: {} };
  const { shipmentObjectUid } = (await other('AddShipmentObject', object)).body;
  const sandboxOfOther = await sandboxAs(service.address, 'other');
  await book();
  await call('SetAccountDetails', { userUid: 'user-anna', firstName: 'Changed', lastName: 'Name' });
  await call('SetLockerOutOfOrder', { lockerUid: 'pup-central-1', outOfOrder: true });
  expect((await sandbox('POST', 'reset')).body).toEqual({ success: true, error: null, message: null });
  expect(countOf(await lockers(), 'Free')).toBe(36);
  expect((await call('GetAccount', { userUid: 'user-anna' })).body).toMatchObject({ firstName: 'Anna' });
  const page = { pageNo: 1, pageSize: 10 };
  expect((await call('GetShipments', page)).body).toMatchObject({ totalItems: 0 });
  expect((await other('GetShipments', page)).body).toMatchObject({ totalItems: 1 });
  // What hangs on the other's shipment is all there: its answer, its codes, its object, its events.
  expect(await bookForeign()).toEqual(foreign);
  const { body: codes } = await other('GetShipmentAccessCode', { shipmentUid: foreignUid });
  const { items } = (await other('GetShipments', page)).body as { items: { lockerName: string }[] };
  const typed = { pupUid: 'pup-other', lockerName: items[0]?.lockerName, pinCode: codes.deliveryCode };
  expect((await other('SimulateLockerAccess', typed)).body).toMatchObject({ success: true });
  const removal = { shipmentUid: foreignUid, shipmentObjectUid };
  expect((await other('RemoveShipmentObject', removal)).body).toMatchObject({ success: true });
  await sandbox('POST', 'reset');
  expect(await notifiedStates(service.database, String(foreignUid))).toEqual([[0, 'WaitForReceiver']]);
  await sandboxOfOther('POST', 'reset');
});

test('reset removes faults, kept answers, suggestions and events', async () => {
  const request = { ...examples.CreateLocalShipment.request, lockerUid: 'pup-central-9' };
  const booked = async () =>
    (await call('CreateLocalShipment', request, { 'idempotency-key': 'before' })).body.shipmentUid;
  const shipmentUid = await booked();
  await call('UnlockShipmentLocker', { shipmentUid: String(shipmentUid), unlockGoal: 'DropOff' });
  await sandbox('POST', 'faults', { lockerUid: 'pup-central-9', fault: 'stuck' });
  const upload = await uploaderAs(service.address);
  await upload({ content: csv('anna@example.com;;;;;;') });
  expect(await suggestionsIn(service.database)).toHaveLength(1);
  await sql`
    insert into door_commands (command_id, tenant_id, pick_up_point_id, locker_id, shipment_uid, operation, request_id, asked_at,
      open_by)
    select 'before', tenant_id, pick_up_point_id, locker_id, 'any', 'UnlockShipmentLocker', 'before', now(), now()
    from lockers where locker_uid = 'pup-central-9'
  `.execute(service.database);
  await sandbox('POST', 'reset');
  expect(await suggestionsIn(service.database)).toEqual([]);
  expect((await sql`select from door_commands`.execute(service.database)).rows).toEqual([]);
  expect(await notifiedStates(service.database, String(shipmentUid))).toEqual([]);
  const anew = String(await booked());
  expect(anew).not.toBe(shipmentUid);
  expect(
    (await call('UnlockShipmentLocker', { shipmentUid: anew, unlockGoal: 'DropOff' })).body,
  ).toMatchObject({
    success: true,
  });
});

test('reset restores removed users, except one with an e-mail address that another tenant has by now', {
  tags: 'long',
}, async () => {
  for (const userUid of ['user-anna', 'user-bram']) await call('RemoveAccount', { userUid });
  const other = await callerAs(service.address, 'other');
  const taken = { ...examples.CreateAccount.request, pickUpPointUid: 'pup-other', userName: 'bram' };
  const { body } = await other('CreateAccount', { ...taken, emailAddress: 'bram@example.com' });
  expect(body).toMatchObject({ success: true });
  expect((await sandbox('POST', 'reset')).body).toMatchObject({ success: true });
  expect((await call('GetAccount', { userUid: 'user-anna' })).body).toMatchObject({
    emailAddress: 'anna@example.com',
    mainPupUid: 'pup-central',
  });
  expect((await call('GetAccount', { userUid: 'user-bram' })).body).toMatchObject({
    error: 'InvalidUserUid',
  });
  await other('RemoveAccount', { userUid: String(body.userUid) });
  await sandbox('POST', 'reset');
  expect((await call('GetAccount', { userUid: 'user-bram' })).body).toMatchObject({ firstName: 'Bram' });
});

test('a fault of a door or of a whole pick up point keeps its doors shut until it is taken away', async () => {
  const shipmentUid = await book('pup-central-9');
  const unlock = async () => (await call('UnlockShipmentLocker', { shipmentUid })).body;
  await sandbox('POST', 'faults', { lockerUid: 'pup-central-9', fault: 'stuck' });
  expect(await unlock()).toMatchObject({ error: 'UnlockFailed', message: expect.stringContaining('stuck') });
  await sandbox('POST', 'faults', { pupUid: 'pup-central', fault: 'offline' });
  expect(await unlock()).toMatchObject({ error: 'UnlockFailed' });
  const { body } = await sandbox('POST', 'faults', { pupUid: 'pup-central', fault: null });
  expect(body.lockers).toHaveLength(24);
  expect(await unlock()).toMatchObject({ success: true });
});

test.each([
  ['faults', {}, /fault/],
  ['faults', { fault: 'stuck' }, /either lockerUid or pupUid/],
  ['faults', { fault: 'stuck', lockerUid: 'pup-central-1', pupUid: 'pup-central' }, /either lockerUid or/],
  ['faults', { fault: 'broken', lockerUid: 'pup-central-1' }, /fault.*stuck.*offline/],
  ['clock', { advance: 3 }, /advance/],
] as const)(
  'a wrong request to %s is refused with a message that names the error: %j',
  async (route, body, words) => {
    expect(await sandbox('POST', route, body)).toMatchObject({
      status: 400,
      body: { error: 'InvalidRequest', message: expect.stringMatching(words) },
    });
  },
);

test('as a basic service it has no extras, shuffles uids and renames states', async () => {
  const renamedStates = { ReadyForDropoff: 'AWAITING_ITEM', ReadyForPickup: 'AWAITING_USER' };
  await sandbox('POST', 'switches', { bareVendor: true, renamedStates });
  // Whoever asks for more gets no more.
  await call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None', extraFields: true });
  const taken = [...switchedOffBy('getShipments'), ...switchedOffBy('accessCodes')];
  expect(taken).toContain('GetShipments');
  for (const name of taken)
    expect(await call(name, {}), name).toMatchObject({ status: 404, body: { error: 'UnknownOperation' } });
  const shipmentUid = await book();
  const withKey = async () =>
    (await call('CreateLocalShipment', booking, { 'idempotency-key': 'same' })).body.shipmentUid;
  expect(await withKey()).not.toBe(await withKey());
  await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  const { body: switches } = await sandbox('GET', 'switches');
  const [event] = await messagesOf(service.database, [shipmentUid], switches);
  expect(Object.keys(event?.message ?? {})).toEqual([
    'shipmentUid',
    'stateCode',
    'stateStart',
    'shipmentType',
    'referenceNo',
    'referenceCaseNo',
    'description',
  ]);
  expect(event?.message).toMatchObject({ stateCode: 'AWAITING_USER' });
  await call('ConfigureCallback', { url: null, authType: 'None', extraFields: false });
});

test('with renamed states a listing shows and takes the new names', async () => {
  await book();
  await sandbox('POST', 'switches', { renamedStates: { ReadyForDropoff: 'AWAITING_ITEM' } });
  const listed = async (state: string) =>
    (await call('GetShipments', { pageNo: 1, pageSize: 10, shipmentState: [state] })).body;
  expect(await listed('AWAITING_ITEM')).toMatchObject({ items: [{ stateCode: 'AWAITING_ITEM' }] });
  expect(await listed('ReadyForDropoff')).toMatchObject({ totalItems: 0 });
  const held = (await lockers()).find(({ state }) => state === 'Booked');
  expect(held?.shipments).toMatchObject([{ stateCode: 'AWAITING_ITEM' }]);
});

// assumptions: Chains, The order of shipmentUids
test('shuffled shipmentUids come in every order, each with all uids', { tags: 'long' }, async () => {
  await sandbox('POST', 'switches', { shuffledShipmentUids: true });
  const orders = new Set<boolean>();
  for (let attempt = 0; attempt < 100 && orders.size < 2; attempt++) {
    const { body } = await call(
      'CreateLocalShipmentAsIssueAndSwapIntake',
      examples.CreateLocalShipmentAsIssueAndSwapIntake.request,
    );
    const uids = body.shipmentUids as string[];
    expect(uids).toHaveLength(2);
    orders.add((uids[0] ?? '') < (uids[1] ?? ''));
    for (const shipmentUid of uids) await call('CancelShipment', { shipmentUid });
  }
  expect(orders.size).toBe(2);
});

test('a switch that does not exist or has a wrong value is refused, naming it', async () => {
  expect(await sandbox('POST', 'switches', { getShipments: 'no' })).toMatchObject({
    status: 400,
    body: { error: 'InvalidRequest', message: expect.stringContaining('getShipments') },
  });
  expect(await sandbox('POST', 'switches', { getShipment: false })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('getShipment') },
  });
});

test('in production all of /sandbox and SimulateLockerAccess are NotAvailable', async () => {
  await withService(
    async ({ address }) => {
      const authorization = `Bearer ${await accessToken(address)}`;
      for (const [method, path] of [
        ['GET', 'clock'],
        ['POST', 'reset'],
        ['GET', 'nothing'],
      ] as const) {
        const response = await fetch(`${address}/sandbox/${path}`, { method, headers: { authorization } });
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({ success: false, error: 'NotAvailable' });
      }
      const production = await callerAs(address);
      for (const request of [examples.SimulateLockerAccess.request, {}])
        expect(await production('SimulateLockerAccess', request)).toMatchObject({
          status: 403,
          body: { error: 'NotAvailable' },
        });
    },
    { mode: 'production' },
  );
});
