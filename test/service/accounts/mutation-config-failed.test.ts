// MutationConfigFailed (interface: Account management, behaviour 4; assumptions: Accounts and upload): the account stays.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, callerAs } from '../../support/caller.ts';
import { type Sandbox, sandboxAs } from '../../support/sandbox.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { newAccount, noFlags } from './support.ts';

let service: TestService;
let demo: Caller;
let sandbox: Sandbox;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
  sandbox = await sandboxAs(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());

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

test('without a mutation configuration the call succeeds', async () => {
  await sandbox('POST', 'switches', { mutationConfigFails: true });
  expect((await demo('CreateAccount', newAccount({ mutationConfig: null }))).status).toBe(200);
});
