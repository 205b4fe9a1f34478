// GetAccount (assumptions: Reading): an account by uid, e-mail address or user name, or the tenant's main account. And
// GetAccountMutationConfig.
import type { Request } from '../../contract/index.ts';
import type { Context, Handlers } from '../handler.ts';
import {
  accountsSeenBy,
  emailAddressIs,
  hiddenIdentity,
  identityOf,
  invalidUserUid,
  managedAccount,
  userNameIs,
} from './account.ts';
import { mutationFlagsOf } from './mutation-config.ts';

const noAddress = { streetName: null, streetNo: null, mailbox: null, city: null, countryCode: null };

export const reading = {
  GetAccount: async (request, context) => {
    const account = await find(request, context);
    if (account?.managed) {
      const { userName, streetName, streetNo, mailbox, city, countryCode } = account;
      const address = { streetName, streetNo, mailbox, city, countryCode };
      return { ...identityOf(account), userName, ...address, isExisting: true };
    }
    // interface: AccessDenied: "GetAccount returns its uid". The error may have been about either.
    const isProbe = request.emailAddress != null || request.userName != null;
    if (account && isProbe)
      return { ...hiddenIdentity, ...noAddress, userUid: account.userUid, isExisting: true };
    // interface: "only the registration of an e-mail address can be probed".
    if (request.emailAddress == null) throw invalidUserUid();
    return { ...hiddenIdentity, ...noAddress, userUid: null, canManageUser: null, isExisting: false };
  },

  GetAccountMutationConfig: async ({ userUid }, { database, tenantId }) => {
    const { accountId } = await managedAccount(database, tenantId, userUid);
    return { userUid, ...(await mutationFlagsOf(database, accountId)) };
  },
} satisfies Partial<Handlers>;

async function find(
  { userUid, emailAddress, userName }: Request<'GetAccount'>,
  { database, tenantId }: Context,
) {
  const accounts = accountsSeenBy(database, tenantId);
  if (userUid != null) return accounts.where('account.user_uid', '=', userUid).executeTakeFirst();
  if (emailAddress != null) return accounts.where(emailAddressIs(emailAddress)).executeTakeFirst();
  if (userName != null) return accounts.where(userNameIs(userName)).executeTakeFirst();
  return accounts.whereRef('account.account_id', '=', 'tenant.main_account_id').executeTakeFirst();
}
