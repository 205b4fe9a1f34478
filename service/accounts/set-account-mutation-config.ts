// SetAccountMutationConfig (interface: Account management).
import type { Handler } from '../handler.ts';
import { inTransaction } from '../storage/transaction.ts';
import { lockManagedAccount } from './account.ts';
import { mutationFlagsOf, setMutationFlags } from './mutation-config.ts';

export const setAccountMutationConfig: Handler<'SetAccountMutationConfig'> = (
  { userUid, ...flags },
  { database, tenantId },
) =>
  inTransaction(database, async (transaction) => {
    const { accountId } = await lockManagedAccount(transaction, tenantId, userUid);
    await setMutationFlags(transaction, accountId, flags);
    return { userUid, ...(await mutationFlagsOf(transaction, accountId)) };
  });
