// CreateOrGetAccount (interface: Account management, behaviour 2, 3 and 4; assumptions: Accounts and upload).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { envelope, hidden, newAccount, noFlags } from './support.ts';

let service: TestService;
let demo: Caller;
let other: Caller;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
  other = await callerAs(service.address, 'other');
});
afterAll(() => service[Symbol.asyncDispose]());

const othersAccount = (changes = {}) => newAccount({ pickUpPointUid: 'pup-other', ...changes });

test('where none exists an account is made; the same call again gives it', async () => {
  const request = newAccount({ userName: 'made-once', phoneNumber: '+31612345678' });
  const first = await demo('CreateOrGetAccount', request);
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    ...envelope,
    userUid: expect.any(String),
    userName: 'made-once',
    canManageUser: true,
    firstName: request.firstName,
    lastName: request.lastName,
    emailAddress: request.emailAddress,
    phoneNumber: '+31612345678',
    mainPupUid: 'pup-central',
    mainPupName: 'Central',
    languageCode: null,
    mailCode: expect.any(String),
    isExisting: false,
  });
  const second = await demo('CreateOrGetAccount', request);
  expect(second.body).toEqual({ ...first.body, isExisting: true });
});

// assumptions: Accounts and upload, What CreateOrGetAccount changes
test('an existing account keeps its details and pick up point; its mutation configuration changes', async () => {
  const request = newAccount({ mutationConfig: { canChangeFirstName: true, canChangeLastName: true } });
  const { body } = await demo('CreateOrGetAccount', request);
  const again = await demo('CreateOrGetAccount', {
    ...request,
    emailAddress: request.emailAddress.toUpperCase(),
    firstName: 'Changed',
    lastName: 'Changed',
    phoneNumber: '+31687654321',
    languageCode: 'en',
    pickUpPointUid: 'pup-station',
    mutationConfig: { canChangeLastName: false, canRemoveManually: true },
  });
  expect(again.body).toEqual({ ...body, isExisting: true });
  const { userUid } = body;
  expect((await demo('GetAccountMutationConfig', { userUid })).body).toEqual({
    ...envelope,
    userUid,
    ...noFlags,
    canChangeFirstName: true,
    canChangeLastName: false,
    canRemoveManually: true,
  });
});

test('an account that exists by user name is moved to the e-mail address', async () => {
  const request = newAccount({ userName: 'mover' });
  const { body } = await demo('CreateOrGetAccount', request);
  const { emailAddress } = newAccount();
  const moved = await demo('CreateOrGetAccount', { ...request, userName: 'MOVER', emailAddress });
  expect(moved.body).toEqual({ ...body, emailAddress, isExisting: true });
  expect((await demo('GetAccount', { emailAddress: request.emailAddress })).body.isExisting).toBe(false);
});

// assumptions: Accounts and upload, A user name given beside an e-mail address
test('an e-mail address of one account and the user name of another is EmailAlreadyRegistered', async () => {
  const one = newAccount();
  const two = newAccount({ userName: 'user-two' });
  await demo('CreateOrGetAccount', one);
  await demo('CreateOrGetAccount', two);
  const { status, body } = await demo('CreateOrGetAccount', { ...one, userName: 'user-two' });
  expect([status, body.error]).toEqual([409, 'EmailAlreadyRegistered']);
  expect((await demo('GetAccount', { userName: 'user-two' })).body.emailAddress).toBe(two.emailAddress);
});

test('a registered e-mail address with a free user name is EmailAlreadyRegistered', async () => {
  const request = newAccount();
  await demo('CreateOrGetAccount', request);
  const { status, body } = await demo('CreateOrGetAccount', { ...request, userName: 'nobody-has-this' });
  expect([status, body.error]).toEqual([409, 'EmailAlreadyRegistered']);
});

// assumptions: Accounts and upload, AccessDenied or behaviour 3
test('an account that another tenant manages shows only its uid', async () => {
  const request = othersAccount();
  const { userUid } = (await other('CreateOrGetAccount', request)).body;
  const ask = { ...newAccount(), emailAddress: request.emailAddress };
  for (const changes of [{}, { userName: 'whatever-name' }, { userName: request.emailAddress }]) {
    const { status, body } = await demo('CreateOrGetAccount', { ...ask, ...changes });
    expect(status).toBe(200);
    expect(body).toEqual({ ...envelope, ...hidden, userUid, isExisting: true });
  }
});

test('an account that another tenant manages is not changed', async () => {
  const request = othersAccount({ mutationConfig: { canChangeFirstName: true } });
  const { userUid } = (await other('CreateOrGetAccount', request)).body;
  const before = (await other('GetAccount', { userUid })).body;
  await demo('CreateOrGetAccount', newAccount({ emailAddress: request.emailAddress }));
  expect((await other('GetAccount', { userUid })).body).toEqual(before);
});

// assumptions: Accounts and upload, AccessDenied or behaviour 3
test('a mutation configuration for an account that another tenant manages is MutationConfigFailed with its uid', async () => {
  const request = othersAccount({ mutationConfig: { canChangeFirstName: true } });
  const { userUid } = (await other('CreateOrGetAccount', request)).body;
  const { emailAddress } = request;
  const ask = (mutationConfig: object) =>
    demo('CreateOrGetAccount', newAccount({ emailAddress, mutationConfig }), { 'idempotency-key': 'ask' });
  for (let time = 0; time < 2; time++) {
    const { status, body } = await ask({ canChangeFirstName: false });
    expect([status, body.error, body.userUid]).toEqual([409, 'MutationConfigFailed', userUid]);
    expect(body.message).toContain('another service provider');
    expect(Object.keys(body).sort()).toEqual(['error', 'message', 'success', 'userUid']);
  }
  expect((await other('GetAccountMutationConfig', { userUid })).body.canChangeFirstName).toBe(true);
  // Without a flag that has a value there is nothing to be dropped.
  for (const mutationConfig of [null, {}, { canChangeFirstName: null }]) {
    const { body } = await demo('CreateOrGetAccount', newAccount({ emailAddress, mutationConfig }));
    expect(body).toEqual({ ...envelope, ...hidden, userUid, isExisting: true });
  }
});

test('an account whose canChangeEmailAddress is false keeps its e-mail address: EmailAlreadyRegistered', async () => {
  const again = newAccount({ userName: 'settled' });
  const mutationConfig = { canChangeEmailAddress: false };
  const made = (await demo('CreateOrGetAccount', { ...again, mutationConfig })).body;
  const { emailAddress } = newAccount();
  const { status, body } = await demo('CreateOrGetAccount', { ...again, emailAddress });
  expect([status, body.error]).toEqual([409, 'EmailAlreadyRegistered']);
  expect(body.message).toContain('canChangeEmailAddress');
  expect((await demo('GetAccount', { emailAddress })).body.isExisting).toBe(false);
  // Its own address, in another casing, is no change.
  const same = { ...again, emailAddress: again.emailAddress.toUpperCase() };
  expect((await demo('CreateOrGetAccount', same)).body).toEqual({ ...made, isExisting: true });
  await demo('SetAccountMutationConfig', { userUid: made.userUid, canChangeEmailAddress: true });
  const moved = (await demo('CreateOrGetAccount', { ...again, emailAddress })).body;
  expect(moved).toEqual({ ...made, emailAddress, isExisting: true });
});

test('a user name of an account that another tenant manages is AccessDenied', async () => {
  const request = othersAccount({ userName: 'olgas-name' });
  await other('CreateOrGetAccount', request);
  const { status, body } = await demo('CreateOrGetAccount', newAccount({ userName: 'olgas-name' }));
  expect([status, body.error]).toEqual([403, 'AccessDenied']);
  expect((await other('GetAccount', { userName: 'olgas-name' })).body.emailAddress).toBe(
    request.emailAddress,
  );
});

test('an e-mail address that is the user name of another account needs a different user name', async () => {
  const request = newAccount();
  const { userUid } = (await demo('CreateOrGetAccount', request)).body;
  await demo('SetAccountDetails', { userUid, emailAddress: newAccount().emailAddress });
  const refused = await demo('CreateOrGetAccount', request);
  expect([refused.status, refused.body.error]).toEqual([409, 'EmailAlreadyRegistered']);
  const foreign = await other('CreateOrGetAccount', { ...request, pickUpPointUid: 'pup-other' });
  expect([foreign.status, foreign.body.error]).toEqual([403, 'AccessDenied']);
  const { body } = await demo('CreateOrGetAccount', { ...request, userName: 'another-own-name' });
  expect(body).toMatchObject({ success: true, isExisting: false, emailAddress: request.emailAddress });
});

test('a main pick up point that is unknown or of another tenant is InvalidPupUid, also for an existing account', async () => {
  const request = newAccount();
  await demo('CreateOrGetAccount', request);
  for (const pickUpPointUid of ['pup-nowhere', 'pup-other', undefined]) {
    const { status, body } = await demo('CreateOrGetAccount', { ...request, pickUpPointUid });
    expect([status, body.error]).toEqual([404, 'InvalidPupUid']);
  }
});

test('50 concurrent calls for one new e-mail address make one account, and each gets the right answer', async () => {
  const request = newAccount();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      demo('CreateOrGetAccount', {
        ...request,
        emailAddress: index % 2 ? request.emailAddress : request.emailAddress.toUpperCase(),
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(replies.filter(({ body }) => body.isExisting === false)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.isExisting === true)).toHaveLength(49);
  expect(new Set(replies.map(({ body }) => body.userUid)).size).toBe(1);
  const { rows } = await accountsOf(request.emailAddress);
  expect(rows).toBe(1);
});

test('two tenants that ask for one new e-mail address at once share one account, which one of them manages', async () => {
  const { emailAddress } = newAccount();
  const replies = await Promise.all([
    demo('CreateOrGetAccount', { ...newAccount(), emailAddress }),
    other('CreateOrGetAccount', { ...othersAccount(), emailAddress }),
  ]);
  expect(new Set(replies.map(({ body }) => body.userUid)).size).toBe(1);
  expect(replies.map(({ body }) => body.canManageUser).sort()).toEqual([false, true]);
  expect(replies.map(({ body }) => body.isExisting).sort()).toEqual([false, true]);
});

async function accountsOf(emailAddress: string): Promise<{ rows: number }> {
  const { rows } = await service.database
    .selectFrom('accounts')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where(({ fn }) => fn<string>('lower', ['email_address']), '=', emailAddress.toLowerCase())
    .executeTakeFirstOrThrow();
  return { rows };
}
