// RemoveAccount (interface: Account management; assumptions: Accounts and upload).
import { expect, test } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { messagesOf, notifiedStates } from '../../support/notifications.ts';
import { useCallers } from '../../support/use-service.ts';
import { wallOf } from '../../support/wall.ts';
import { envelope, newAccount } from './support.ts';

const { service, demo } = useCallers();

test('a removed account is no longer there, and its e-mail address and user name are free', async () => {
  const request = newAccount({ userName: 'to-be-removed' });
  const { userUid } = (await demo('CreateAccount', request)).body;
  const { status, body } = await demo('RemoveAccount', { userUid });
  expect(status).toBe(200);
  expect(body).toEqual(envelope);
  for (const operation of ['GetAccount', 'GetAccountMutationConfig', 'RemoveAccount'] as const)
    expect((await demo(operation, { userUid })).body.error, operation).toBe('InvalidUserUid');
  const again = await demo('CreateAccount', request);
  expect(again.status).toBe(200);
  expect(again.body.userUid).not.toBe(userUid);
});

// assumptions: Accounts and upload, What RemoveAccount does not reach
test('of a removed account the uid stays and no personal data', async () => {
  const request = newAccount({
    userName: 'erased-name',
    phoneNumber: '+31612345678',
    languageCode: 'nl',
    streetName: 'Kade',
    streetNo: '7',
    mailbox: 'B',
    city: 'Delft',
    countryCode: 'NL',
  });
  const { userUid } = (await demo('CreateAccount', request)).body;
  await demo('RemoveAccount', { userUid });
  const { account_id, user_uid, created_at, removed_at, ...rest } = await service.database
    .selectFrom('accounts')
    .selectAll()
    .where('user_uid', '=', String(userUid))
    .executeTakeFirstOrThrow();
  expect(removed_at).toBeInstanceOf(Date);
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
});

test('answers that were kept for a repeated request are gone with the account', async () => {
  const request = newAccount({ phoneNumber: '+31687654321' });
  const { userUid } = (await demo('CreateAccount', request, { 'idempotency-key': 'creation' })).body;
  const details = { userUid, firstName: 'Kept', lastName: 'Somewhere' };
  await demo('SetAccountDetails', details, { 'idempotency-key': 'details' });
  await demo('RemoveAccount', { userUid });
  const kept = await service.database.selectFrom('idempotency_keys').select('response').execute();
  expect(JSON.stringify(kept)).not.toContain(String(userUid));
});

test('of concurrent removals of one account exactly one succeeds', async () => {
  const { userUid } = (await demo('CreateAccount', newAccount())).body;
  const replies = await Promise.all(Array.from({ length: 8 }, () => demo('RemoveAccount', { userUid })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
});

const booking = examples.CreateLocalShipment.request;

// assumptions: Accounts and upload, RemoveAccount of an account in use
test.each([
  ['its sender', 'fromUserUid'],
  ['its receiver', 'toUserUid'],
])(
  'an account with an active shipment of its tenant as %s is AccountInUse until that ends',
  async (_, field) => {
    const { userUid } = (await demo('CreateAccount', newAccount())).body;
    const { body } = await demo('CreateLocalShipment', {
      ...booking,
      fromUserUid: null,
      toUserUid: null,
      [field]: userUid,
    });
    expect(body.success).toBe(true);
    const refused = await demo('RemoveAccount', { userUid });
    expect([refused.status, refused.body.error]).toEqual([409, 'AccountInUse']);
    expect((await demo('GetAccount', { userUid })).body.isExisting).toBe(true);
    await demo('CancelShipment', { shipmentUid: body.shipmentUid });
    expect((await demo('RemoveAccount', { userUid })).status).toBe(200);
  },
);

// assumptions: Accounts and upload, RemoveAccount of an account in use
test("another tenant's active shipments do not hold up a removal, and go on with a user without personal data", async () => {
  const otherWall = await wallOf(service.address, 'other');
  const request = newAccount({ firstName: 'Sanne', phoneNumber: '+31612345679' });
  const userUid = String((await demo('CreateAccount', request)).body.userUid);
  const place = { pupUid: 'pup-other', fromUserUid: null };
  const [received] = await otherWall.book('CreateLocalShipment', { ...place, toUserUid: userUid });
  const [sent] = await otherWall.book('CreateLocalShipmentAsIntake', { ...place, fromUserUid: userUid });
  const read = async () => ({
    shipments: (await otherWall.ok('GetShipments', { pageNo: 1, pageSize: 500 })).items,
    told: await notifiedStates(service.database, received, sent),
    audit: (await otherWall.ok('GetAuditLog', { pageSize: 500 })).items,
  });
  const before = await read();
  expect((await demo('RemoveAccount', { userUid })).body).toEqual(envelope);
  expect(await read()).toEqual(before);

  const [swap] = await otherWall.book('CreateLocalShipment', {
    ...place,
    toUserUid: null,
    swapsShipmentUid: received,
    isReceiverDelayed: true,
  });
  expect(await otherWall.shipment(swap)).toMatchObject({ fromUserUid: userUid });
  for (const shipmentUid of [received, sent]) await otherWall.drop(shipmentUid);
  for (const shipmentUid of [received, sent]) await otherWall.pick(shipmentUid);
  expect(await otherWall.states(received, sent)).toEqual(['Completed', 'Completed']);
  expect(await otherWall.shipment(received)).toMatchObject({ toUserUid: userUid });
  const everything = JSON.stringify([await read(), await messagesOf(service.database, [received, sent])]);
  for (const value of [request.emailAddress, 'Sanne', '+31612345679'])
    expect(everything).not.toContain(value);
  // Who has been removed gets no new shipment.
  const toNobody = { ...booking, ...place, toUserUid: userUid };
  expect((await otherWall.refused('CreateLocalShipment', toNobody)).error).toBe('InvalidUserUid');
});
