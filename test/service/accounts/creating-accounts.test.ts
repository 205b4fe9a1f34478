// CreateAccount and CreateOrGetAccount (interface: Account management, behaviour 1 to 4; assumptions: Accounts and upload).
import { expect, test } from 'vitest';
import { sandboxAs } from '../../support/sandbox.ts';
import { useInFile } from '../../support/use.ts';
import { useCallers } from '../../support/use-service.ts';
import { envelope, hidden, newAccount, noFlags } from './support.ts';

const { service, demo, other } = useCallers();

test('a new account has every field as it was given, and a mail code', async () => {
  const request = {
    emailAddress: 'Full.Resident@Example.com',
    firstName: 'Full',
    lastName: 'Resident',
    pickUpPointUid: 'pup-station',
    phoneNumber: '0031 6 1234 5678',
    userName: 'full-resident',
    languageCode: 'nl-NL',
    streetName: 'Oudegracht',
    streetNo: '1 bis',
    mailbox: 'A',
    city: 'Utrecht',
    countryCode: 'NL',
    mutationConfig: { canChangeFirstName: true, canRemoveManually: false, canChangeAddress: null },
  };
  const { status, body } = await demo('CreateAccount', request);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...envelope,
    userUid: expect.any(String),
    userName: 'full-resident',
    canManageUser: true,
    firstName: 'Full',
    lastName: 'Resident',
    emailAddress: 'Full.Resident@Example.com',
    phoneNumber: '+31612345678',
    mainPupUid: 'pup-station',
    mainPupName: 'Station',
    languageCode: 'nl-NL',
    mailCode: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
  });
  const { userUid } = body;
  const { streetName, streetNo, mailbox, city, countryCode } = request;
  expect((await demo('GetAccount', { userUid })).body).toEqual({
    ...body,
    streetName,
    streetNo,
    mailbox,
    city,
    countryCode,
    isExisting: true,
  });
  expect((await demo('GetAccountMutationConfig', { userUid })).body).toEqual({
    ...envelope,
    userUid,
    ...noFlags,
    canChangeFirstName: true,
    canRemoveManually: false,
  });
});

// assumptions: Accounts and upload, CreateAccount with a taken user name
test('a user name of an account that another tenant manages is AccessDenied, and GetAccount gives its uid', async () => {
  const made = await demo('CreateAccount', newAccount({ userName: 'Demos-Name' }));
  const userName = 'DEMOS-NAME';
  const request = newAccount({ userName, pickUpPointUid: 'pup-other' });
  const { status, body } = await other('CreateAccount', request);
  expect([status, body.error]).toEqual([403, 'AccessDenied']);
  expect(body.message).toContain('GetAccount');
  expect((await other('GetAccount', { userName })).body.userUid).toBe(made.body.userUid);
  expect((await other('GetAccount', { emailAddress: request.emailAddress })).body.isExisting).toBe(false);
});

// assumptions: Accounts and upload, CreateAccount with a taken user name
test('if e-mail address and user name belong to two accounts, the answer is about the e-mail address', async () => {
  const foreign = newAccount({ userName: 'of-the-other', pickUpPointUid: 'pup-other' });
  await other('CreateAccount', foreign);
  const own = newAccount({ userName: 'of-demo' });
  await demo('CreateAccount', own);
  const mixed = (emailAddress: string, userName: string) =>
    demo('CreateAccount', newAccount({ emailAddress, userName }));
  expect((await mixed(own.emailAddress, 'of-the-other')).body.error).toBe('EmailAlreadyRegistered');
  expect((await mixed(foreign.emailAddress, 'of-demo')).body.error).toBe('AccessDenied');
});

test('the longest user name is kept unchanged, with any characters', async () => {
  const userName = Array.from({ length: 320 }, (_, at) =>
    String.fromCodePoint(0x20000 + ((at * 7919) % 40_000)),
  ).join('');
  const { body } = await demo('CreateAccount', newAccount({ userName }));
  expect(body).toMatchObject({ success: true, userName });
});

test('accounts with one pick up point have different mail codes', async () => {
  const replies = await Promise.all(Array.from({ length: 30 }, () => demo('CreateAccount', newAccount())));
  expect(new Set(replies.map(({ body }) => body.mailCode)).size).toBe(30);
});

const othersAccount = (changes = {}) => newAccount({ pickUpPointUid: 'pup-other', ...changes });

test('where none exists an account is made; the same call again gives it', async () => {
  const request = newAccount({ userName: 'made-once', phoneNumber: '+31612345678' });
  const first = await demo('CreateOrGetAccount', request);
  expect(first).toMatchObject({ status: 200, body: { userName: 'made-once', isExisting: false } });
  const { body: made } = await demo('CreateAccount', newAccount());
  expect(Object.keys(first.body).sort()).toEqual([...Object.keys(made), 'isExisting'].sort());
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

// assumptions: Accounts and upload, AccessDenied or behaviour 3
test('an account that another tenant manages shows only its uid, and is not changed', async () => {
  const request = othersAccount({ mutationConfig: { canChangeFirstName: true } });
  const { userUid } = (await other('CreateOrGetAccount', request)).body;
  const before = (await other('GetAccount', { userUid })).body;
  const ask = { ...newAccount(), emailAddress: request.emailAddress };
  for (const changes of [{}, { userName: 'whatever-name' }, { userName: request.emailAddress }]) {
    const { status, body } = await demo('CreateOrGetAccount', { ...ask, ...changes });
    expect(status).toBe(200);
    expect(body).toEqual({ ...envelope, ...hidden, userUid, isExisting: true });
  }
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

const sandbox = useInFile(() => sandboxAs(service.address));

test.each(['CreateAccount', 'CreateOrGetAccount'] as const)(
  'if %s cannot apply a mutation configuration, the answer has the userUid, and the account stays',
  async (operation) => {
    await sandbox('POST', 'switches', { mutationConfigFails: true });
    const request = newAccount({ mutationConfig: { canChangeAddress: true } });
    const { status, body } = await demo(operation, request, { 'idempotency-key': operation });
    expect([status, body.error]).toEqual([409, 'MutationConfigFailed']);
    const { userUid } = body;
    expect((await demo('GetAccount', { userUid })).body.emailAddress).toBe(request.emailAddress);
    expect((await demo('GetAccountMutationConfig', { userUid })).body).toMatchObject(noFlags);

    await sandbox('POST', 'switches', { mutationConfigFails: false });
    const found = await demo('CreateOrGetAccount', request, { 'idempotency-key': operation });
    expect(found.body).toMatchObject({ success: true, isExisting: true, userUid });
    expect((await demo('GetAccountMutationConfig', { userUid })).body.canChangeAddress).toBe(true);
  },
);

// assumptions: Accounts and upload, An e-mail address that is the user name of another account, and no user name given
test.each([
  ['CreateAccount', 'UserNameAlreadyRegistered'],
  ['CreateOrGetAccount', 'EmailAlreadyRegistered'],
] as const)(
  '%s with an e-mail address that is the user name of another account is %s',
  async (name, error) => {
    const request = newAccount();
    const { userUid } = (await demo('CreateAccount', request)).body;
    await demo('SetAccountDetails', { userUid, emailAddress: newAccount().emailAddress });
    expect(await demo(name, request)).toMatchObject({ status: 409, body: { error } });
    const foreign = await other(name, { ...request, pickUpPointUid: 'pup-other' });
    expect(foreign).toMatchObject({ status: 403, body: { error: 'AccessDenied' } });
    const userName = `own name for ${name}`;
    expect((await demo(name, { ...request, userName })).body).toMatchObject({ success: true, userName });
  },
);

test('of 20 concurrent creations of one account exactly one succeeds', async () => {
  const request = newAccount();
  const replies = await Promise.all(Array.from({ length: 20 }, () => demo('CreateAccount', request)));
  const errors = replies.map(({ body }) => String(body.error)).sort();
  expect(errors).toEqual([...Array(19).fill('EmailAlreadyRegistered'), 'null']);
});

test('MutationConfigFailed keeps what CreateOrGetAccount has updated', async () => {
  const userName = 'updated-then-failed';
  const { userUid } = (await demo('CreateAccount', newAccount({ userName }))).body;
  await sandbox('POST', 'switches', { mutationConfigFails: true });
  const request = newAccount({ userName, mutationConfig: { canChangeAddress: true } });
  const failed = (await demo('CreateOrGetAccount', request)).body;
  await sandbox('POST', 'switches', { mutationConfigFails: false });
  expect(failed).toMatchObject({ success: false, error: 'MutationConfigFailed', userUid });
  const { body } = await demo('GetAccount', { userUid });
  expect(body).toMatchObject({ emailAddress: request.emailAddress, userName });
});
