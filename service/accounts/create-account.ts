// CreateAccount (interface: Account management, behaviour 1): makes an account where none exists, else refuses.
import type { Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { accessDenied, emailAlreadyRegistered, identityOf, managedAccount } from './account.ts';
import { answerConfigured } from './answer-configured.ts';
import { ownPickUpPointId } from './own-pick-up-point.ts';
import { findOrInsert, type Registered } from './registered-accounts.ts';

export const createAccount: Handler<'CreateAccount'> = (request, context) =>
  answerConfigured(context, request, async (transaction, configure) => {
    const { tenantId } = context;
    const pickUpPointId = await ownPickUpPointId(transaction, tenantId, request.pickUpPointUid);
    const { userUid } = await findOrInsert(transaction, { tenantId, pickUpPointId }, request, refuse);
    await configure(userUid);
    const account = await managedAccount(transaction, tenantId, userUid);
    return { ...identityOf(account), userName: account.userName };
  });

/** assumptions: Accounts and upload: AccessDenied if the caller does not manage the account. */
async function refuse({ byEmailAddress, byUserName }: Registered): Promise<never> {
  if (!(byEmailAddress ?? byUserName)?.managed) throw accessDenied();
  if (byEmailAddress) throw emailAlreadyRegistered();
  throw new Refusal(
    'UserNameAlreadyRegistered',
    'The user name is registered for another account: choose another one',
  );
}
