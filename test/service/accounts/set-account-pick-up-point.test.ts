// SetAccountPickUpPoint (interface: Account management).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { envelope, newAccount } from './support.ts';

let service: TestService;
let demo: Caller;
let userUid: unknown;
let mailCode: unknown;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
});
afterAll(() => service[Symbol.asyncDispose]());

beforeEach(async () => {
  ({ userUid, mailCode } = (await demo('CreateAccount', newAccount())).body);
});

const account = async () => (await demo('GetAccount', { userUid })).body;

// assumptions: Accounts and upload, The mail code when the main pick up point changes
test('another pick up point of the tenant becomes the main one, with a new mail code', async () => {
  const { status, body } = await demo('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'pup-station' });
  expect(status).toBe(200);
  expect(body).toEqual({ ...envelope, userUid, pupUid: 'pup-station', pickUpPointChanged: true });
  const after = await account();
  expect(after).toMatchObject({ mainPupUid: 'pup-station', mainPupName: 'Station' });
  expect(after.mailCode).not.toBe(mailCode);
});

test('the same pick up point again is not a change and keeps the mail code', async () => {
  const { body } = await demo('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'pup-central' });
  expect(body).toEqual({ ...envelope, userUid, pupUid: 'pup-central', pickUpPointChanged: false });
  expect((await account()).mailCode).toBe(mailCode);
});

test('a pick up point that is unknown, absent or of another tenant is InvalidPupUid and changes nothing', async () => {
  for (const pickUpPointUid of ['pup-nowhere', 'pup-other', '', undefined]) {
    const { status, body } = await demo('SetAccountPickUpPoint', { userUid, pickUpPointUid });
    expect([status, body.error]).toEqual([404, 'InvalidPupUid']);
  }
  expect(await account()).toMatchObject({ mainPupUid: 'pup-central', mailCode });
});

test("the tenant's main account may be given a pick up point, and stays its main account", async () => {
  const main = { userUid: 'main-demo', pickUpPointUid: 'pup-central' };
  expect((await demo('SetAccountPickUpPoint', main)).body.pickUpPointChanged).toBe(true);
  expect((await demo('GetAccount', {})).body).toMatchObject({
    userUid: 'main-demo',
    mainPupUid: 'pup-central',
  });
});
