// @module-tag invariant
// Each account operation with each of its uid fields set to another tenant's uid: the answer is that of an unknown
// uid, and nothing changes (assumptions: The wire). Accounts are shared by all tenants, but only their manager may touch them.
import { expect, test } from 'vitest';
import { type OperationName, operationNames, operationRow } from '../../../contract/index.ts';
import { useCallers } from '../../support/use-service.ts';
import { csv, uploaderAs } from './suggestions/upload.ts';
import { newAccount } from './support.ts';

const { service, demo, other } = useCallers();

/** A request of each operation that succeeds with uids of the tenant's own. */
const requests: Partial<Record<OperationName, object>> = {
  SetAccountDetails: { userUid: 'user-anna', firstName: 'Other', lastName: 'Name' },
  SetAccountPickUpPoint: { userUid: 'user-anna', pickUpPointUid: 'pup-station' },
  SetAccountMutationConfig: { userUid: 'user-anna', canChangeAddress: true },
  RemoveAccount: { userUid: 'user-bram' },
  CreateAccount: newAccount(),
  CreateOrGetAccount: newAccount(),
  GetAccount: { userUid: 'user-anna' },
  GetAccountMutationConfig: { userUid: 'user-anna' },
};

/** Of the other tenant, by what the field names. */
const foreignUids: Readonly<Record<string, readonly string[]>> = {
  userUid: ['user-olga', 'main-other'],
  pickUpPointUid: ['pup-other'],
};

const accountOperations = operationNames.filter((name) => operationRow(name).path.startsWith('/v1/Account/'));
const cases = accountOperations.flatMap((name) =>
  Object.keys(operationRow(name).request.shape)
    .filter((field) => field.endsWith('Uid'))
    .flatMap((field) => (foreignUids[field] ?? ['']).map((foreign) => ({ name, field, foreign }))),
);

test('every account operation and uid field is in this matrix', () => {
  expect(cases).toHaveLength(15);
  for (const { name, field, foreign } of cases)
    expect([requests[name], foreign], `${name} ${field}`).not.toContain('');
});

test.each(cases)(
  '$name with $field $foreign answers like an unknown uid and changes nothing',
  async (each) => {
    const { name, field, foreign } = each;
    const before = await everyAccount();
    const answer = await demo(name, { ...requests[name], [field]: foreign });
    const unknown = await demo(name, { ...requests[name], [field]: 'uid-of-nothing' });
    expect(answer.body.success).toBe(false);
    expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body]);
    expect(await everyAccount()).toEqual(before);
  },
);

test.each(Object.keys(requests) as OperationName[])(
  '%s succeeds with the same request and own uids',
  async (name) => {
    expect((await demo(name, requests[name])).body).toMatchObject({ success: true });
  },
);

// assumptions: Accounts and upload, What can be learnt about accounts of other tenants
test("a tenant learns of another tenant's account that it exists, and its uid, and nothing else", async () => {
  const attributes = {
    firstName: 'Quirine',
    lastName: 'Zwartjes',
    phoneNumber: '+32470999888',
    languageCode: 'fr-BE',
    streetName: 'Rozenlaan',
    streetNo: '12 rear',
    mailbox: 'bus-3',
    city: 'Aalter',
  };
  const keys = { emailAddress: 'quirine@mail.example', userName: 'quirine-z' };
  const place = { pickUpPointUid: 'pup-other', countryCode: 'BE' };
  const account = (await other('CreateAccount', { ...attributes, ...keys, ...place })).body;
  const { userUid } = account;
  const known = [...Object.values(attributes), account.mailCode, 'pup-other', account.mainPupName];
  const { emailAddress, userName } = keys;
  const own = (await demo('CreateAccount', newAccount())).body.userUid;
  const dimension = { width: 1, height: 1, length: 1 };
  const permissions = { allowLargerLockers: true, allowOverflowLockers: false };
  const booking = { pupUid: 'pup-central', toUserUid: userUid, dimension, ...permissions };
  const probes: readonly (readonly [OperationName, object, outcome: object])[] = [
    ['GetAccount', { emailAddress }, { success: true, userUid, isExisting: true }],
    ['GetAccount', { userName }, { success: true, userUid, isExisting: true }],
    ['GetAccount', { userUid }, { error: 'InvalidUserUid' }],
    ['CreateAccount', newAccount({ emailAddress }), { error: 'AccessDenied' }],
    ['CreateAccount', newAccount({ userName }), { error: 'AccessDenied' }],
    ['CreateOrGetAccount', newAccount({ emailAddress }), { success: true, userUid, isExisting: true }],
    ['CreateOrGetAccount', newAccount({ userName }), { error: 'AccessDenied' }],
    ['SetAccountDetails', { userUid: own, emailAddress }, { error: 'EmailAlreadyRegistered' }],
    ['SearchAccounts', { searchText: 'quirine', most: 5 }, { success: true, items: [] }],
    ['CreateLocalShipment', booking, { success: true }],
    ['CreateLocalShipment', { ...booking, toUserUid: 'user-nobody' }, { error: 'InvalidUserUid' }],
  ];
  for (const [name, request, outcome] of probes) {
    const { body } = await demo(name, request);
    expect(body, name).toMatchObject(outcome);
    const text = JSON.stringify(body);
    for (const value of known) expect(text, name).not.toContain(value);
  }
  const upload = await uploaderAs(service.address);
  const { body } = await upload({ content: csv(`${emailAddress};;;;;;`, 'nobody@mail.example;;;;;;') });
  expect(body).toMatchObject({ importedCount: 2, existedCount: 1 });
});

const everyAccount = () =>
  service.database.selectFrom('accounts').selectAll().orderBy('account_id').execute();
