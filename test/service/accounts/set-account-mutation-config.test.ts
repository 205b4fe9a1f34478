// SetAccountMutationConfig (interface: Account management, Account mutation configuration).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { envelope, newAccount, noFlags } from './support.ts';

let service: TestService;
let demo: Caller;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
});
afterAll(() => service[Symbol.asyncDispose]());

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

test('a flag of a wrong type is InvalidRequest and changes nothing', async () => {
  const { userUid } = (await demo('CreateAccount', newAccount())).body;
  const request = { userUid, canChangeFirstName: true, canChangeAddress: 'yes' };
  const { status, body } = await demo('SetAccountMutationConfig', request);
  expect([status, body.error]).toEqual([400, 'InvalidRequest']);
  expect((await demo('GetAccountMutationConfig', { userUid })).body).toMatchObject(noFlags);
});

// assumptions: Accounts and upload, Whom mutation flags bind
test("the flags bind the account's user, not this API", async () => {
  const nothingAllowed = Object.fromEntries(Object.keys(noFlags).map((flag) => [flag, false]));
  const { userUid } = (await demo('CreateAccount', newAccount({ mutationConfig: nothingAllowed }))).body;
  const details = { userUid, firstName: 'Still', lastName: 'Changeable' };
  expect((await demo('SetAccountDetails', details)).body.firstName).toBe('Still');
  expect((await demo('RemoveAccount', { userUid })).status).toBe(200);
});
