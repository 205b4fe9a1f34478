// RemoveAccount (interface: Account management; decisions §5).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { envelope, newAccount } from './support.ts';

let service: TestService;
let demo: Caller;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
});
afterAll(() => service[Symbol.asyncDispose]());

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

test('of a removed account the uid stays and no personal data', async () => {
  const request = newAccount({
    userName: 'erased-name',
    phoneNumber: '+31612345678',
    languageCode: 'nl',
    ...{ streetName: 'Kade', streetNo: '7', mailbox: 'B', city: 'Delft', countryCode: 'NL' },
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

test('a main account is AccountInUse', async () => {
  const { status, body } = await demo('RemoveAccount', { userUid: 'main-demo' });
  expect([status, body.error]).toEqual([409, 'AccountInUse']);
  expect((await demo('GetAccount', {})).body.userUid).toBe('main-demo');
});

test('of concurrent removals of one account exactly one succeeds', async () => {
  const { userUid } = (await demo('CreateAccount', newAccount())).body;
  const replies = await Promise.all(Array.from({ length: 8 }, () => demo('RemoveAccount', { userUid })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
});
