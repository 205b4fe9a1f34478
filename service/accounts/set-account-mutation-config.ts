// SetAccountMutationConfig (interface: Account management).
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { lockManagedAccount } from './account.ts';
import { mutationFlagsOf, setMutationFlags } from './mutation-config.ts';

export const setAccountMutationConfig: Handler<'SetAccountMutationConfig'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { userUid, ...flags } = request;
    const { accountId } = await lockManagedAccount(transaction, context.tenantId, userUid);
    await setMutationFlags(transaction, accountId, flags);
    return { userUid, ...(await mutationFlagsOf(transaction, accountId)) };
  });
