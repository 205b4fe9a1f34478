// SetAccountDetails (interface: Account management).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { newAccount } from './support.ts';

let service: TestService;
let demo: Caller;
let userUid: unknown;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
});
afterAll(() => service[Symbol.asyncDispose]());

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
  expect((await demo('SetAccountDetails', { userUid, ...nothing, ...{ city: null } })).status).toBe(200);
  expect(await account()).toEqual(before);
});

test.each([
  [{ firstName: 'Only' }, ['lastName']],
  [{ lastName: 'Only' }, ['firstName']],
  [{ streetName: 'Kade' }, ['streetNo', 'mailbox', 'city', 'countryCode']],
  [{ countryCode: 'NL', city: 'Delft', streetNo: '1' }, ['streetName', 'mailbox']],
])('an incomplete group, %j, is InvalidRequest and names the missing fields', async (given, missing) => {
  const before = await account();
  const { status, body } = await demo('SetAccountDetails', { userUid, ...given });
  expect([status, body.error]).toEqual([400, 'InvalidRequest']);
  for (const field of missing) expect(body.message).toContain(field);
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

test("an account's own e-mail address in another casing is stored as given", async () => {
  const own = String((await account()).emailAddress).toUpperCase();
  expect((await demo('SetAccountDetails', { userUid, emailAddress: own })).body.emailAddress).toBe(own);
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

test('a user uid that is absent or of a wrong type is InvalidUserUid', async () => {
  for (const wrong of [undefined, null, '', 7]) {
    const { status, body } = await demo('SetAccountDetails', { userUid: wrong, languageCode: 'nl' });
    expect([status, body.error]).toEqual([404, 'InvalidUserUid']);
  }
});
