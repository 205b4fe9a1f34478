// CreateAccount (interface: Account management, behaviour 1 and 4; assumptions: Accounts and upload).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { envelope, newAccount, noFlags } from './support.ts';

let service: TestService;
let demo: Caller;
let other: Caller;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
  other = await callerAs(service.address, 'other');
});
afterAll(() => service[Symbol.asyncDispose]());

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
    ...{ streetName, streetNo, mailbox, city, countryCode },
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

test('without a user name the e-mail address is the user name, and optional fields are null', async () => {
  const request = newAccount({ phoneNumber: null, userName: null, mutationConfig: null });
  const { body } = await demo('CreateAccount', request);
  expect(body).toMatchObject({
    userName: request.emailAddress,
    phoneNumber: null,
    languageCode: null,
    mainPupUid: 'pup-central',
  });
});

test('a main pick up point that is unknown, absent or of another tenant is InvalidPupUid', async () => {
  for (const pickUpPointUid of ['pup-nowhere', 'pup-other', '', null, undefined]) {
    const request = newAccount({ pickUpPointUid });
    const { status, body } = await demo('CreateAccount', request);
    expect([status, body.error], String(pickUpPointUid)).toEqual([404, 'InvalidPupUid']);
    expect((await demo('GetAccount', { emailAddress: request.emailAddress })).body.isExisting).toBe(false);
  }
});

test('an e-mail address of an account that one manages is EmailAlreadyRegistered, in any casing', async () => {
  const request = newAccount();
  await demo('CreateAccount', request);
  const emailAddress = request.emailAddress.toUpperCase();
  const { status, body } = await demo('CreateAccount', { ...request, emailAddress, userName: 'another' });
  expect([status, body.error]).toEqual([409, 'EmailAlreadyRegistered']);
});

test('an e-mail address of an account that another tenant manages is AccessDenied', async () => {
  const request = newAccount();
  await demo('CreateAccount', request);
  const { status, body } = await other('CreateAccount', { ...request, pickUpPointUid: 'pup-other' });
  expect([status, body.error]).toEqual([403, 'AccessDenied']);
  expect(body).not.toHaveProperty('firstName');
});

// assumptions: Accounts and upload, CreateAccount with a taken user name
test('a user name of an account that one manages is UserNameAlreadyRegistered, in any casing', async () => {
  await demo('CreateAccount', newAccount({ userName: 'Taken-Name' }));
  const { status, body } = await demo('CreateAccount', newAccount({ userName: 'taken-name' }));
  expect([status, body.error]).toEqual([409, 'UserNameAlreadyRegistered']);
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

// assumptions: Accounts and upload, An e-mail address that is the user name of another account, and no user name given
test('an e-mail address that is the user name of another account is not taken as a user name', async () => {
  const request = newAccount();
  const { userUid } = (await demo('CreateAccount', request)).body;
  await demo('SetAccountDetails', { userUid, emailAddress: newAccount().emailAddress });
  const refused = await demo('CreateAccount', request);
  expect([refused.status, refused.body.error]).toEqual([409, 'UserNameAlreadyRegistered']);
  const foreign = await other('CreateAccount', { ...request, pickUpPointUid: 'pup-other' });
  expect([foreign.status, foreign.body.error]).toEqual([403, 'AccessDenied']);
  const { status, body } = await demo('CreateAccount', { ...request, userName: 'another-way' });
  expect([status, body.userName]).toEqual([200, 'another-way']);
});

test('of 20 concurrent creations of one account exactly one succeeds', async () => {
  const request = newAccount();
  const replies = await Promise.all(Array.from({ length: 20 }, () => demo('CreateAccount', request)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = replies.filter(({ status }) => status !== 200).map(({ body }) => body.error);
  expect(new Set(refused)).toEqual(new Set(['EmailAlreadyRegistered']));
});

// assumptions: The wire, Empty strings
test('empty strings are not values, and codes are kept in their own case', async () => {
  const empty = { userName: '', phoneNumber: '' };
  const { body } = await demo(
    'CreateAccount',
    newAccount({ ...empty, languageCode: 'NL-be', countryCode: 'be' }),
  );
  expect(body).toMatchObject({ success: true, phoneNumber: null, languageCode: 'nl-BE' });
  expect(body.userName).toBe(body.emailAddress);
  const { userUid } = body;
  expect((await demo('GetAccount', { userUid })).body).toMatchObject({ countryCode: 'BE' });
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

test.each([
  ['emailAddress', 'no address'],
  ['emailAddress', undefined],
  ['firstName', undefined],
  ['firstName', ''],
  ['lastName', null],
  ['phoneNumber', '0612345678'],
  ['phoneNumber', '31612345678'],
  ['languageCode', 'dutch'],
  ['countryCode', 'XX'],
  ['userName', 'x'.repeat(321)],
  ['mutationConfig', true],
])('%s as %j is InvalidRequest, and the message names it', async (field, value) => {
  const { status, body } = await demo('CreateAccount', newAccount({ [field]: value }));
  expect([status, body.error]).toEqual([400, 'InvalidRequest']);
  expect(body.message).toContain(field);
});
