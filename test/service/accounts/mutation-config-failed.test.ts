// MutationConfigFailed (interface: Account management, behaviour 4; decisions §5): the account stays.
import { expect, test } from 'vitest';
import { SwitchBoard } from '../../../service/sandbox/switches.ts';
import { callerAs } from '../../support/caller.ts';
import { withService } from '../../support/service.ts';
import { newAccount, noFlags } from './support.ts';

test('a mutation configuration that cannot be applied is told with the userUid, and the account stays', () =>
  withService(async ({ address, database }) => {
    const { tenant_id } = await database
      .selectFrom('tenants')
      .select('tenant_id')
      .where('tenant_uid', '=', 'demo')
      .executeTakeFirstOrThrow();
    const switchBoard = new SwitchBoard(database, 'staging');
    await switchBoard.set(tenant_id, { ...(await switchBoard.of(tenant_id)), mutationConfigFails: true });
    const demo = await callerAs(address, 'demo');

    const request = newAccount({ mutationConfig: { canChangeAddress: true } });
    const key = { 'idempotency-key': 'one-account' };
    const { status, body } = await demo('CreateAccount', request, key);
    expect([status, body.error]).toEqual([409, 'MutationConfigFailed']);
    const { userUid } = body;
    expect((await demo('GetAccount', { userUid })).body.emailAddress).toBe(request.emailAddress);
    expect((await demo('GetAccountMutationConfig', { userUid })).body).toMatchObject(noFlags);

    // The refusal was not kept under the key: the same request is tried anew.
    expect((await demo('CreateAccount', request, key)).body.error).toBe('EmailAlreadyRegistered');
    const found = await demo('CreateOrGetAccount', request);
    expect(found.body).toMatchObject({ error: 'MutationConfigFailed', userUid });
    expect((await demo('CreateOrGetAccount', { ...request, mutationConfig: null })).status).toBe(200);
  }));
