// GetAccountMutationConfig (assumptions: Reading).
import type { Handler } from '../handler.ts';
import { managedAccount } from './account.ts';
import { mutationFlagsOf } from './mutation-config.ts';

export const getAccountMutationConfig: Handler<'GetAccountMutationConfig'> = async (
  { userUid },
  { database, tenantId },
) => {
  const { accountId } = await managedAccount(database, tenantId, userUid);
  return { userUid, ...(await mutationFlagsOf(database, accountId)) };
};
