// SetAccountDetails, SetAccountPickUpPoint and SetAccountMutationConfig (interface: Account management).
import { beforeEach, expect, test } from 'vitest';
import { useCallers } from '../../support/use-service.ts';
import { envelope, newAccount, noFlags } from './support.ts';

let userUid: unknown;

const { demo } = useCallers();

const address = { streetName: 'Kade', streetNo: '7', mailbox: 'B', city: 'Delft', countryCode: 'NL' };

beforeEach(async () => {
  const request = newAccount({ phoneNumber: '+31612345678', languageCode: 'nl', ...address });
  userUid = (await demo('CreateAccount', request)).body.userUid;
});

const account = async () => (await demo('GetAccount', { userUid })).body;

test.each([
  ['emailAddress', { emailAddress: 'Changed@Example.com' }, {}],
  ['phoneNumber', { phoneNumber: '0032 470 12 34 56' }, { phoneNumber: '+32470123456' }],
  ['languageCode', { languageCode: 'en-GB' }, {}],
  ['name', { firstName: 'New', lastName: 'Name' }, {}],
  ['address', { streetName: 'Laan', streetNo: '8', mailbox: 'C', city: 'Gent', countryCode: 'BE' }, {}],
])('%s changes alone', async (_, given, stored) => {
  const before = await account();
  const { status, body } = await demo('SetAccountDetails', { userUid, ...given });
  expect(status).toBe(200);
  const after = await account();
  expect(after).toEqual({ ...before, ...given, ...stored });
  const { userName, isExisting, streetName, streetNo, mailbox, city, countryCode, ...identity } = after;
  expect(body).toEqual(identity);
});

test('a field that is null does not change', async () => {
  const before = await account();
  const nothing = { emailAddress: null, phoneNumber: null, languageCode: null, firstName: null };
  expect((await demo('SetAccountDetails', { userUid, ...nothing, city: null })).status).toBe(200);
  expect(await account()).toEqual(before);
});

test('the e-mail address of another account of any tenant is EmailAlreadyRegistered, and nothing changes', async () => {
  const before = await account();
  for (const emailAddress of ['anna@example.com', 'OLGA@example.com']) {
    const request = { userUid, emailAddress, firstName: 'Not', lastName: 'Changed' };
    const { status, body } = await demo('SetAccountDetails', request);
    expect([status, body.error]).toEqual([409, 'EmailAlreadyRegistered']);
  }
  expect(await account()).toEqual(before);
});

test('of concurrent changes to one e-mail address exactly one succeeds', async () => {
  const emailAddress = 'wanted@example.com';
  const accounts = await Promise.all(
    Array.from({ length: 10 }, async () => (await demo('CreateAccount', newAccount())).body.userUid),
  );
  const replies = await Promise.all(
    accounts.map((each) => demo('SetAccountDetails', { userUid: each, emailAddress })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
});

// assumptions: Accounts and upload, The mail code when the main pick up point changes
test('another pick up point of the tenant becomes the main one, with a new mail code', async () => {
  const { mailCode } = await account();
  const { status, body } = await demo('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'pup-station' });
  expect(status).toBe(200);
  expect(body).toEqual({ ...envelope, userUid, pupUid: 'pup-station', pickUpPointChanged: true });
  const after = await account();
  expect(after).toMatchObject({ mainPupUid: 'pup-station', mainPupName: 'Station' });
  expect(after.mailCode).not.toBe(mailCode);
});

test('the same pick up point again is not a change and keeps the mail code', async () => {
  const { mailCode } = await account();
  const { body } = await demo('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'pup-central' });
  expect(body).toEqual({ ...envelope, userUid, pupUid: 'pup-central', pickUpPointChanged: false });
  expect((await account()).mailCode).toBe(mailCode);
});

test("the tenant's main account may be given a pick up point, and stays its main account", async () => {
  const main = { userUid: 'main-demo', pickUpPointUid: 'pup-central' };
  expect((await demo('SetAccountPickUpPoint', main)).body.pickUpPointChanged).toBe(true);
  expect((await demo('GetAccount', {})).body).toMatchObject({
    userUid: 'main-demo',
    mainPupUid: 'pup-central',
  });
});

test.each(Object.keys(noFlags))('%s is set to true and to false, and null leaves it', async (flag) => {
  const { userUid } = (await demo('CreateAccount', newAccount())).body;
  for (const [given, kept] of [
    [null, null],
    [true, true],
    [null, true],
    [undefined, true],
    [false, false],
    [null, false],
  ]) {
    const { status, body } = await demo('SetAccountMutationConfig', { userUid, [flag]: given });
    expect(status).toBe(200);
    expect(body).toEqual({ ...envelope, userUid, ...noFlags, [flag]: kept });
    expect((await demo('GetAccountMutationConfig', { userUid })).body).toEqual(body);
  }
});

// assumptions: Accounts and upload, Whom mutation flags bind
test("the flags bind the account's user, not this API", async () => {
  const nothingAllowed = Object.fromEntries(Object.keys(noFlags).map((flag) => [flag, false]));
  const { userUid } = (await demo('CreateAccount', newAccount({ mutationConfig: nothingAllowed }))).body;
  const details = { userUid, firstName: 'Still', lastName: 'Changeable' };
  expect((await demo('SetAccountDetails', details)).body.firstName).toBe('Still');
  expect((await demo('RemoveAccount', { userUid })).status).toBe(200);
});
