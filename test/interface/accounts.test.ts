// What the interface states of accounts, where a test of one operation does not show it: the forms of their fields, and what
// follows one operation in another. Over real HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount } from '../service/accounts/support.ts';
import { type Caller, callerAs } from '../support/caller.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let demo: Caller;
let other: Caller;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
  other = await callerAs(service.address, 'other');
});
afterAll(() => service[Symbol.asyncDispose]());

/** Creates an account with the value, and sets it on another: both answers are the same. */
async function given(field: string, value: string) {
  const created = (await demo('CreateAccount', newAccount({ [field]: value }))).body;
  const { userUid } = (await demo('CreateAccount', newAccount())).body;
  const address = { streetName: 'Kade', streetNo: '7', mailbox: 'B', city: 'Delft' };
  const beside = field === 'countryCode' ? address : {};
  const set = (await demo('SetAccountDetails', { userUid, ...beside, [field]: value })).body;
  expect([created.success, created.error]).toEqual([set.success, set.error]);
  if (set.success !== true) return { error: set.error, message: `${set.message} ${created.message}` };
  const [one, two] = await Promise.all(
    [created.userUid, userUid].map(async (uid) => (await demo('GetAccount', { userUid: uid })).body[field]),
  );
  expect(one).toBe(two);
  return one;
}

// interface: Account
test.each([
  ['languageCode', 'nl', 'nl'],
  ['languageCode', 'nl-NL', 'nl-NL'],
  ['languageCode', 'en-GB', 'en-GB'],
  ['languageCode', 'en', 'en'],
  ['phoneNumber', '+31612345678', '+31612345678'],
  ['phoneNumber', '0031612345678', '+31612345678'],
  ['countryCode', 'NL', 'NL'],
  ['countryCode', 'ZA', 'ZA'],
])('%s may be %s', async (field, value, kept) => {
  expect(await given(field, value)).toBe(kept);
});

test.each([
  ['languageCode', 'dutch'],
  ['languageCode', 'nl_NL'],
  ['languageCode', 'nld'],
  ['phoneNumber', '0612345678'],
  ['phoneNumber', '31612345678'],
  ['countryCode', 'NLD'],
  ['countryCode', 'XX'],
])('%s may not be %s', async (field, value) => {
  expect(await given(field, value)).toEqual({
    error: 'InvalidRequest',
    message: expect.stringMatching(new RegExp(`${field}.*${field}`)),
  });
});

test('each account has a uid and a mail code of its own', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 8 }, async () => (await demo('CreateAccount', newAccount())).body),
  );
  expect(new Set(accounts.map(({ userUid }) => userUid)).size).toBe(8);
  expect(new Set(accounts.map(({ mailCode }) => mailCode)).size).toBe(8);
});

// interface: Account management
test('CreateAccount fails if an account has the user name, whoever manages it', async () => {
  const userName = 'exists-already';
  await demo('CreateAccount', newAccount({ userName }));
  for (const [call, pickUpPointUid] of [
    [demo, 'pup-central'],
    [other, 'pup-other'],
  ] as const) {
    const request = newAccount({ userName, pickUpPointUid });
    expect((await call('CreateAccount', request)).body).toMatchObject({ success: false });
    const { body } = await call('GetAccount', { emailAddress: request.emailAddress });
    expect(body).toMatchObject({ isExisting: false });
  }
});

// interface: What the service does
test('of an account that another tenant manages, one learns only that its e-mail address is registered', async () => {
  const request = newAccount({
    pickUpPointUid: 'pup-other',
    phoneNumber: '+31612345678',
    languageCode: 'nl',
  });
  const { userUid } = (await other('CreateAccount', request)).body;
  const hidden = (await demo('GetAccount', { emailAddress: request.emailAddress })).body;
  const { success, error, message, ...fields } = hidden;
  expect(success).toBe(true);
  const told = Object.entries(fields).filter(([, value]) => value !== null);
  expect(Object.fromEntries(told)).toEqual({ userUid, isExisting: true, canManageUser: false });
  const free = (await demo('GetAccount', { emailAddress: newAccount().emailAddress })).body;
  expect(free).toMatchObject({ success: true, userUid: null, isExisting: false });
  for (const name of ['GetAccount', 'GetAccountMutationConfig', 'RemoveAccount'] as const)
    expect((await demo(name, { userUid })).body).toMatchObject({ success: false, error: 'InvalidUserUid' });
  const seen = (await other('GetAccount', { userUid })).body;
  expect(seen).toMatchObject({ canManageUser: true, firstName: request.firstName });
});

// interface: Errors
test('of the account for which CreateAccount says AccessDenied, GetAccount returns the uid', async () => {
  const request = newAccount({ pickUpPointUid: 'pup-other' });
  const { userUid } = (await other('CreateAccount', request)).body;
  const { emailAddress } = request;
  expect((await demo('CreateAccount', newAccount({ emailAddress }))).body).toMatchObject({
    success: false,
    error: 'AccessDenied',
  });
  expect((await demo('GetAccount', { emailAddress })).body).toMatchObject({ success: true, userUid });
});

test('CreateOrGetAccount says MutationConfigFailed also where it updated an account, and keeps the update', async () => {
  const userName = 'updated-then-failed';
  const { userUid } = (await demo('CreateAccount', newAccount({ userName }))).body;
  const sandbox = await sandboxAs(service.address);
  await sandbox('POST', 'switches', { mutationConfigFails: true });
  const request = newAccount({ userName, mutationConfig: { canChangeAddress: true } });
  const failed = (await demo('CreateOrGetAccount', request)).body;
  await sandbox('POST', 'switches', { mutationConfigFails: false });
  expect(failed).toMatchObject({ success: false, error: 'MutationConfigFailed', userUid });
  const { body } = await demo('GetAccount', { userUid });
  expect(body).toMatchObject({ emailAddress: request.emailAddress, userName });
});
