// Each account operation with each of its uid fields set to another tenant's uid: the answer is that of an unknown
// uid, and nothing changes (assumptions: The wire). Accounts are shared by all tenants, but only their manager may touch them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OperationName, operationNames, operationRow } from '../../../contract/index.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { newAccount } from './support.ts';

let service: TestService;
let demo: Caller;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
});
afterAll(() => service[Symbol.asyncDispose]());

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

const everyAccount = () =>
  service.database.selectFrom('accounts').selectAll().orderBy('account_id').execute();
