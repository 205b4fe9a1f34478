// CreateAccount (interface: Account management, behaviour 1): makes an account where none exists, else refuses.
import type { Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { inTransaction } from '../storage/transaction.ts';
import { accessDenied, emailAlreadyRegistered, identityOf, managedAccount } from './account.ts';
import { applyMutationConfig } from './apply-mutation-config.ts';
import { ownPickUpPointId } from './own-pick-up-point.ts';
import { findOrInsert, type Registered } from './registered-accounts.ts';

export const createAccount: Handler<'CreateAccount'> = async (request, context) => {
  const { database, tenantId } = context;
  const pickUpPointId = await ownPickUpPointId(database, tenantId, request.pickUpPointUid);
  const { userUid } = await inTransaction(database, (transaction) =>
    findOrInsert(transaction, { tenantId, pickUpPointId }, request, refuse),
  );
  await applyMutationConfig(context, userUid, request.mutationConfig);
  const account = await managedAccount(database, tenantId, userUid);
  return { ...identityOf(account), userName: account.userName };
};

/** decisions §5: AccessDenied when the e-mail address is that of an account which the caller does not manage. */
async function refuse({ byEmailAddress }: Registered): Promise<never> {
  if (!byEmailAddress)
    throw new Refusal('UserNameAlreadyRegistered', 'The user name is registered for another account');
  if (byEmailAddress.managed) throw emailAlreadyRegistered();
  throw accessDenied();
}
