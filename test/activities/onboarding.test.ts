// Onboarding: the account of a person is made or found, its flags are applied, and what differs is told.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { json, type Reply } from '../shared/locker-api/test-server.ts';
import {
  applicationFailure,
  inTurn,
  type Replies,
  reset,
  startTestApi,
  succeeded,
  useActivityWorker,
} from './activity-harness.ts';

const harness = useActivityWorker();

const request = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup-central',
};
const input = (mutationConfig = {}, details = {}) => ({
  input: { request: { ...request, ...details, mutationConfig } },
  idempotencyKey: 'order-1',
});
const account = {
  userUid: 'user-anna',
  userName: 'anna@example.com',
  canManageUser: true,
  firstName: 'Anna',
  lastName: 'Jansen',
  emailAddress: 'anna@example.com',
  phoneNumber: null,
  mainPupUid: 'pup-station',
  mainPupName: null,
  languageCode: null,
  mailCode: null,
};
const noAddress = { streetName: null, streetNo: null, mailbox: null, city: null, countryCode: null };
const flags = { canChangeFirstName: true, canChangeLastName: null, canRemoveManually: false };
const answer = (isExisting: boolean, canManageUser = true) =>
  succeeded('CreateOrGetAccount', { ...account, isExisting, canManageUser });
const nine = {
  canChangeFirstName: true,
  canChangeLastName: true,
  canChangeEmailAddress: true,
  canChangePhoneNumber: true,
  canChangeLanguageCode: true,
  canChangeMainPickUpPoint: true,
  canChangeAddress: true,
  canRemoveAutomatically: true,
  canRemoveManually: true,
};
const present = succeeded('GetAccountMutationConfig', { userUid: 'user-anna', ...nine });

it.each<[string, Replies, object]>([
  ['a new account has its flags', { CreateOrGetAccount: answer(false) }, {}],
  ['an account of another is left alone', { CreateOrGetAccount: answer(true, false) }, {}],
  [
    'an existing one differs where its flags do',
    { CreateOrGetAccount: answer(true), GetAccountMutationConfig: present },
    { canRemoveManually: false },
  ],
  [
    'an existing one whose flags cannot be read may differ in all',
    { CreateOrGetAccount: answer(true) },
    { canChangeFirstName: true, canRemoveManually: false },
  ],
])('%s', async (_, replies, differingFlags) => {
  const { api } = await startTestApi(replies);
  expect(await harness(api).run('createOrGetAccount', input(flags))).toMatchObject({
    userUid: 'user-anna',
    mainPupUid: 'pup-station',
    differingFlags,
  });
});

it('goes on with the account when its flags could not be applied', async () => {
  const reply: Reply = (response) =>
    void response
      .writeHead(409, { 'content-type': 'application/json' })
      .end('{"success":false,"error":"MutationConfigFailed","userUid":"user-new"}');
  const { api } = await startTestApi({ CreateOrGetAccount: reply });
  expect(await harness(api).run('createOrGetAccount', input(flags))).toEqual({
    userUid: 'user-new',
    isExisting: null,
    canManageUser: true,
    mainPupUid: null,
    differingFlags: { canChangeFirstName: true, canRemoveManually: false },
    differingDetails: [],
    unknownDetails: ['firstName', 'lastName'],
  });
});

const failsFlags = { success: false, error: 'MutationConfigFailed', message: null };
const found = { ...account, isExisting: true };

it.each<[string, Replies]>([
  [
    'by its e-mail address',
    {
      CreateOrGetAccount: json(409, failsFlags),
      GetAccount: succeeded('GetAccount', { ...found, ...noAddress }),
    },
  ],
  [
    'without GetAccount by asking for it without flags',
    { CreateOrGetAccount: inTurn(json(409, failsFlags), answer(true)) },
  ],
  [
    'in the same way where GetAccount says that there is none',
    {
      CreateOrGetAccount: inTurn(json(409, failsFlags), answer(true)),
      GetAccount: succeeded('GetAccount', { ...found, ...noAddress, userUid: null, isExisting: false }),
    },
  ],
])('finds the account when the answer that its flags failed has no userUid: %s', async (_, replies) => {
  const { api, sent } = await startTestApi(replies);
  expect(await harness(api).run('createOrGetAccount', input(flags))).toMatchObject({
    userUid: 'user-anna',
    isExisting: null,
    mainPupUid: 'pup-station',
    differingFlags: { canChangeFirstName: true, canRemoveManually: false },
  });
  const [first, second] = sent('CreateOrGetAccount');
  expect(first?.body).toMatchObject({ mutationConfig: flags });
  if (second) expect(second.body.mutationConfig ?? null).toBeNull();
  if (second) expect(second.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
});

const hidden = { ...Object.fromEntries(Object.keys(account).map((name) => [name, null])) } as const;
const othersFails = { ...failsFlags, userUid: 'user-olga' };
const others = { ...account, ...hidden, userUid: 'user-olga', canManageUser: false, isExisting: true };

// assumptions: Accounts and upload, AccessDenied or behaviour 3
it.each<[string, Replies]>([
  [
    'with GetAccount',
    {
      CreateOrGetAccount: json(409, othersFails),
      GetAccount: succeeded('GetAccount', { ...others, ...noAddress }),
    },
  ],
  [
    'without GetAccount',
    { CreateOrGetAccount: inTurn(json(409, othersFails), succeeded('CreateOrGetAccount', others)) },
  ],
])("leaves another's account alone when its flags were refused: %s", async (_, replies) => {
  const { api } = await startTestApi(replies);
  expect(await harness(api).run('createOrGetAccount', input(flags))).toEqual({
    userUid: 'user-olga',
    isExisting: true,
    canManageUser: false,
    mainPupUid: null,
    differingFlags: {},
    differingDetails: [],
    unknownDetails: [],
  });
});

const wanted = {
  phoneNumber: '0031 6 1234 5678',
  languageCode: 'nl-NL',
  city: 'Utrecht',
  countryCode: 'NL',
};

it.each<[string, object, Replies, string[], string[]]>([
  ['none of a new account', wanted, { CreateOrGetAccount: answer(false) }, [], []],
  ["none of another's account", wanted, { CreateOrGetAccount: answer(true, false) }, [], []],
  ['none where none is given', {}, { CreateOrGetAccount: answer(true) }, [], []],
  [
    'what the answer shows, and what of it nobody shows',
    { ...wanted, firstName: 'Anne' },
    { CreateOrGetAccount: answer(true) },
    ['firstName', 'phoneNumber', 'languageCode'],
    ['city', 'countryCode'],
  ],
  [
    'the address as GetAccount shows it',
    wanted,
    {
      CreateOrGetAccount: answer(true),
      GetAccount: succeeded('GetAccount', {
        ...found,
        ...noAddress,
        phoneNumber: '+31612345678',
        languageCode: 'nl-nl',
        countryCode: 'nl',
        city: 'Zeist',
      }),
    },
    ['city'],
    [],
  ],
])('tells which details differ: %s', async (_, details, replies, differingDetails, unknownDetails) => {
  const { api } = await startTestApi(replies);
  const onboarded = await harness(api).run('createOrGetAccount', input({}, details));
  expect(onboarded).toMatchObject({ differingDetails, unknownDetails });
});

// assumptions: Accounts and upload, What a phone number is
it.each<[wanted: string, shown: string | null, isSame: boolean]>([
  ['+31 (0)6 1234-5678', '+31612345678', true],
  ['0031612345678', '+31 6 12 34 56 78', true],
  ['+31612345678', '0031 (0)6 12345678', true],
  ['+39 06 698 2', '+39066982', true],
  ['+39 06 698 2', '+3966982', false],
  ['+31612345678', '+32612345678', false],
  ['+31612345678', 'unknown', false],
  ['+31612345678', null, false],
])('compares phone numbers as numbers: %s and %s', async (wantedNumber, shown, isSame) => {
  const { api } = await startTestApi({
    CreateOrGetAccount: succeeded('CreateOrGetAccount', { ...found, phoneNumber: shown }),
  });
  const onboarded = await harness(api).run('createOrGetAccount', input({}, { phoneNumber: wantedNumber }));
  expect(onboarded.differingDetails).toEqual(isSame ? [] : ['phoneNumber']);
});

it('sets whole groups of details, as the interface asks for', async () => {
  const { api, sent } = await startTestApi({
    SetAccountDetails: succeeded('SetAccountDetails', account),
  });
  const address = { streetName: 'Dam', streetNo: '1', mailbox: '', city: 'Utrecht', countryCode: 'NL' };
  const given = { ...request, ...address, phoneNumber: '+31612345678' };
  const set = { userUid: 'user-anna', request: given, details: ['lastName', 'city'] as const };
  await harness(api).run('setAccountDetails', set);
  const { firstName, lastName } = request;
  expect(sent('SetAccountDetails')[0]?.body).toEqual({
    userUid: 'user-anna',
    firstName,
    lastName,
    ...address,
  });
});

it('refuses wrong input without a request', async () => {
  const { api, service } = await startTestApi({});
  const wrong = { input: { request: { emailAddress: 'anna' }, apply: true }, idempotencyKey: 'order-1' };
  const failed = await applicationFailure(harness(api).run('createOrGetAccount', wrong));
  expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true, category: 'BENIGN' });
  for (const field of ['emailAddress', 'firstName', 'lastName', 'pickUpPointUid', 'apply'])
    expect(failed.message).toContain(field);
  expect(service.requests).toEqual([]);
});

it('has no id of lockerflow as its key: other SDKs start flows too', async () => {
  const { api, service } = await startTestApi({});
  const { client, taskQueue } = harness(api);
  const workflowId = `parked:${randomUUID()}`;
  const options = { startToCloseTimeout: '1 minute' };
  const started = client.workflow.start('callActivity', {
    workflowId,
    taskQueue,
    args: ['createOrGetAccount', input(), options],
  });
  const failed = await applicationFailure((await started).result());
  expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true });
  expect(failed.message).toContain('key: must not begin with "parked:"');
  expect(service.requests).toEqual([]);
});

it('is tried again while the answer is lost', async () => {
  const { api, sent } = await startTestApi({ CreateOrGetAccount: inTurn(reset, answer(false)) });
  await harness(api).run('createOrGetAccount', input());
  expect(sent('CreateOrGetAccount').map(({ headers }) => headers['idempotency-key'])).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
});
