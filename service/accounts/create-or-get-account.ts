// CreateOrGetAccount (interface: Account management, behaviour 2 and 3): gives the account that exists by e-mail
// address, moves one that exists by user name to the e-mail address, or makes one.
import type { Kysely } from 'kysely';
import type { Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import { violatedIndex } from '../storage/unique-violation.ts';
import {
  type Account,
  accessDenied,
  emailAlreadyRegistered,
  hiddenIdentity,
  identityOf,
  lockManagedAccount,
  managedAccount,
} from './account.ts';
import { answerConfigured } from './answer-configured.ts';
import { keptEmailAddress } from './email-address.ts';
import { mutationFlagsOf } from './mutation-config.ts';
import type { NewAccount } from './new-account.ts';
import { ownPickUpPointId } from './own-pick-up-point.ts';
import { findOrInsert, type Registered } from './registered-accounts.ts';

export const createOrGetAccount: Handler<'CreateOrGetAccount'> = (request, context) =>
  answerConfigured(context, request, async (transaction, configure) => {
    const { tenantId } = context;
    const pickUpPointId = await ownPickUpPointId(transaction, tenantId, request.pickUpPointUid);
    const place = { tenantId, pickUpPointId };
    const { userUid, isNew, managed } = await findOrInsert(
      transaction,
      place,
      request,
      async (registered) => {
        const account = accountMeant(request, registered);
        if (account.managed) await moveToEmailAddress(transaction, tenantId, account, request);
        return { userUid: account.userUid, isNew: false, managed: account.managed };
      },
    );
    await configure(userUid);
    if (!managed) return { ...hiddenIdentity, userUid, isExisting: true };
    const account = await managedAccount(transaction, tenantId, userUid);
    return { ...identityOf(account), userName: account.userName, isExisting: !isNew };
  });

/**
 * interface: "returns an existing account found by e-mail and optional username". Refuses if the two belong to
 * different accounts.
 */
function accountMeant({ userName }: NewAccount, { byEmailAddress, byUserName }: Registered): Account {
  if (byEmailAddress && (userName == null || byUserName?.userUid === byEmailAddress.userUid))
    return byEmailAddress;
  // assumptions: Accounts and upload: AccessDenied if the user name belongs to an account that the caller does not
  // manage.
  if (byUserName && !byUserName.managed) throw accessDenied();
  // interface: the e-mail address is registered and another user name is given; or, without one, the e-mail address
  // would be the new user name and somebody has that.
  if (userName == null) throw emailAlreadyRegistered();
  // The caller must not learn the user name of another provider's account: behaviour 3, as if no user name were given.
  if (byEmailAddress && !byEmailAddress.managed && !byUserName) return byEmailAddress;
  if (byEmailAddress || !byUserName) throw emailAlreadyRegistered();
  return byUserName;
}

async function moveToEmailAddress(
  transaction: Kysely<Database>,
  tenantId: number,
  account: Account,
  request: NewAccount,
): Promise<void> {
  const emailAddress = keptEmailAddress(request.emailAddress);
  if (account.emailAddress?.toLowerCase() === emailAddress.toLowerCase()) return;
  const { accountId } = await lockManagedAccount(transaction, tenantId, account.userUid);
  const { canChangeEmailAddress } = await mutationFlagsOf(transaction, accountId);
  // interface: EmailAlreadyRegistered "also when a different username is given and the e-mail of that user cannot be changed".
  if (canChangeEmailAddress === false)
    throw new Refusal(
      'EmailAlreadyRegistered',
      'The account with this user name has another e-mail address, and its canChangeEmailAddress is false: send its own e-mail address, or another user name',
    );
  try {
    await transaction
      .updateTable('accounts')
      .set({ email_address: emailAddress })
      .where('account_id', '=', accountId)
      .execute();
  } catch (error) {
    if (violatedIndex(error) === 'accounts_email_address_key') throw emailAlreadyRegistered();
    throw error;
  }
}
