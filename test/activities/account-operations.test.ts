// FindAccount and SetAccount: the account of a person is made or found, what it lacks is told by name, and set.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { LockerApiCall } from '../../activities/flow-file-activities.ts';
import type { AccountOperation, FindAccountAnswer } from '../../contract/index.ts';
import type { JsonObject } from '../../flows/language/flow-file.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
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
const callOf = (operation: AccountOperation, request: object): LockerApiCall => ({
  operation,
  request: request as JsonObject,
  idempotencyKey: 'order-1',
});
const finding = (mutationConfig = {}, details = {}, more = {}): LockerApiCall =>
  callOf('FindAccount', { request: { ...request, ...details, mutationConfig }, ...more });
const found = async (api: LockerApi, ...input: Parameters<typeof finding>) =>
  (await harness(api).run('callLockerApi', finding(...input))) as FindAccountAnswer;
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
const atCentral = { ...account, mainPupUid: 'pup-central' };
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

const elsewhere = ['pickUpPointUid'];

it.each<[string, Replies, object]>([
  [
    'a new account has its flags',
    { CreateOrGetAccount: answer(false) },
    { pickUpPoint: elsewhere, mutationConfig: [] },
  ],
  [
    'an account of another is left alone',
    { CreateOrGetAccount: answer(true, false) },
    { pickUpPoint: [], mutationConfig: [] },
  ],
  [
    'an existing one differs where its flags do',
    { CreateOrGetAccount: answer(true), GetAccountMutationConfig: present },
    { pickUpPoint: elsewhere, mutationConfig: ['canRemoveManually'] },
  ],
  [
    'an existing one whose flags cannot be read may differ in all',
    { CreateOrGetAccount: answer(true) },
    { pickUpPoint: elsewhere, mutationConfig: ['canChangeFirstName', 'canRemoveManually'] },
  ],
  [
    'one that is at the pick up point stays there',
    { CreateOrGetAccount: succeeded('CreateOrGetAccount', { ...atCentral, isExisting: false }) },
    { pickUpPoint: [], mutationConfig: [] },
  ],
])('%s', async (_, replies, toSet) => {
  const { api } = await startTestApi(replies);
  expect(await found(api, flags)).toMatchObject({ userUid: 'user-anna', toSet: { ...toSet, details: [] } });
});

it('goes on with the account when its flags could not be applied', async () => {
  const reply: Reply = (response) =>
    void response
      .writeHead(409, { 'content-type': 'application/json' })
      .end('{"success":false,"error":"MutationConfigFailed","userUid":"user-new"}');
  const { api } = await startTestApi({ CreateOrGetAccount: reply });
  expect(await found(api, flags)).toEqual({
    userUid: 'user-new',
    isExisting: null,
    canManageUser: true,
    differingDetails: [],
    unknownDetails: ['firstName', 'lastName'],
    toSet: {
      pickUpPoint: elsewhere,
      details: [],
      mutationConfig: ['canChangeFirstName', 'canRemoveManually'],
    },
  });
});

const failsFlags = { success: false, error: 'MutationConfigFailed', message: null };
const existing = { ...account, isExisting: true };

it.each<[string, Replies]>([
  [
    'by its e-mail address',
    {
      CreateOrGetAccount: json(409, failsFlags),
      GetAccount: succeeded('GetAccount', { ...existing, ...noAddress }),
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
      GetAccount: succeeded('GetAccount', { ...existing, ...noAddress, userUid: null, isExisting: false }),
    },
  ],
])('finds the account when the answer that its flags failed has no userUid: %s', async (_, replies) => {
  const { api, sent } = await startTestApi(replies);
  expect(await found(api, flags)).toMatchObject({
    userUid: 'user-anna',
    isExisting: null,
    toSet: { pickUpPoint: elsewhere, mutationConfig: ['canChangeFirstName', 'canRemoveManually'] },
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
  expect(await found(api, flags)).toEqual({
    userUid: 'user-olga',
    isExisting: true,
    canManageUser: false,
    differingDetails: [],
    unknownDetails: [],
    toSet: { pickUpPoint: [], details: [], mutationConfig: [] },
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
        ...existing,
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
  expect(await found(api, {}, details)).toMatchObject({
    ...{ differingDetails, unknownDetails },
    toSet: { details: [] },
  });
});

it.each<[string, Replies, string[]]>([
  ['of an account of ours', { CreateOrGetAccount: answer(true) }, ['firstName', 'phoneNumber']],
  ["not of another's", { CreateOrGetAccount: answer(true, false) }, []],
])('details that differ are to be set where the caller says so: %s', async (_, replies, details) => {
  const { api } = await startTestApi(replies);
  const given = { firstName: 'Anne', phoneNumber: '0031 6 1234 5678' };
  expect(await found(api, {}, given, { applyDetails: true })).toMatchObject({ toSet: { details } });
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
    CreateOrGetAccount: succeeded('CreateOrGetAccount', { ...existing, phoneNumber: shown }),
  });
  const { differingDetails } = await found(api, {}, { phoneNumber: wantedNumber });
  expect(differingDetails).toEqual(isSame ? [] : ['phoneNumber']);
});

it('sets whole groups of details, as the interface asks for', async () => {
  const { api, sent } = await startTestApi({
    SetAccountDetails: succeeded('SetAccountDetails', account),
  });
  const address = { streetName: 'Dam', streetNo: '1', mailbox: '', city: 'Utrecht', countryCode: 'NL' };
  const given = { ...request, ...address, phoneNumber: '+31612345678' };
  const set = { userUid: 'user-anna', request: given, fields: ['lastName', 'city'] };
  await harness(api).run('callLockerApi', callOf('SetAccount', set));
  const { firstName, lastName } = request;
  expect(sent('SetAccountDetails')[0]?.body).toEqual({
    userUid: 'user-anna',
    firstName,
    lastName,
    ...address,
  });
});

it('sets what it is told to, and nothing else', async () => {
  const { api, service, sent } = await startTestApi({
    SetAccountPickUpPoint: succeeded('SetAccountPickUpPoint', {
      userUid: 'user-anna',
      pupUid: 'pup-central',
      pickUpPointChanged: true,
    }),
    SetAccountMutationConfig: succeeded('SetAccountMutationConfig', { userUid: 'user-anna', ...nine }),
  });
  const given = { ...request, mutationConfig: flags };
  const set = async (fields: string[]) =>
    await harness(api).run(
      'callLockerApi',
      callOf('SetAccount', { userUid: 'user-anna', request: given, fields }),
    );
  expect(await set([])).toEqual({});
  expect(service.requests).toEqual([]);
  // What the service answers of the account is nobody's: histories keep the answer.
  expect(await set(['pickUpPointUid', 'canRemoveManually'])).toEqual({});
  expect(sent('SetAccountPickUpPoint')[0]?.body).toEqual({
    userUid: 'user-anna',
    pickUpPointUid: 'pup-central',
  });
  expect(sent('SetAccountMutationConfig')[0]?.body).toEqual({
    userUid: 'user-anna',
    canRemoveManually: false,
  });
});

it.each<[string, object, string]>([
  ['a field that it does not know', { fields: ['shoeSize'] }, 'fields.0'],
  [
    'a detail without a value',
    { fields: ['pickUpPointUid', 'phoneNumber'] },
    'request.phoneNumber: is required',
  ],
  [
    'a flag without a value',
    { fields: ['canRemoveManually'], request: { mutationConfig: { canRemoveManually: null } } },
    'request.mutationConfig.canRemoveManually: is required',
  ],
  ['no pick up point', { fields: ['pickUpPointUid'], request: {} }, 'request.pickUpPointUid: is required'],
  [
    'a part of an address',
    { fields: ['pickUpPointUid', 'city'], request: { ...request, city: 'Utrecht' } },
    'request.streetName: is required',
  ],
])('refuses to set %s, before it sets anything', async (_, given, expected) => {
  const { api, service } = await startTestApi({});
  const call = callOf('SetAccount', { userUid: 'user-anna', request, ...given });
  const failed = await applicationFailure(harness(api).run('callLockerApi', call));
  expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true });
  expect(failed.message).toContain(expected);
  expect(service.requests).toEqual([]);
});

it('refuses wrong input without a request', async () => {
  const { api, service } = await startTestApi({});
  const wrong = callOf('FindAccount', { request: { emailAddress: 'anna' }, apply: true });
  const failed = await applicationFailure(harness(api).run('callLockerApi', wrong));
  expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true, category: 'BENIGN' });
  for (const field of ['emailAddress', 'firstName', 'lastName', 'pickUpPointUid', 'apply'])
    expect(failed.message).toContain(field);
  expect(service.requests).toEqual([]);
});

it('has no id of lockerflow as its key: other SDKs start flows too', async () => {
  const { api, service } = await startTestApi({});
  const { client, taskQueue } = harness(api);
  const workflowId = `unmatched:${randomUUID()}`;
  const options = { startToCloseTimeout: '1 minute' };
  const started = client.workflow.start('callActivity', {
    workflowId,
    taskQueue,
    args: ['callLockerApi', finding(), options],
  });
  const failed = await applicationFailure((await started).result());
  expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true });
  expect(failed.message).toContain('key: must not begin with "unmatched:"');
  expect(service.requests).toEqual([]);
});

it('is tried again while the answer is lost', async () => {
  const { api, sent } = await startTestApi({ CreateOrGetAccount: inTurn(reset, answer(false)) });
  await found(api);
  expect(sent('CreateOrGetAccount').map(({ headers }) => headers['idempotency-key'])).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
});
