// GetAccount (assumptions: Reading): an account by uid, e-mail address or user name, or the tenant's main account. And
// GetAccountMutationConfig, and SearchAccounts (assumptions: Operating): accounts that the tenant manages, and its active suggestions.

import { sql } from 'kysely';
import type { Request, Response } from '../../contract/index.ts';
import type { Context, Handlers } from '../handler.ts';
import { withinBytes } from '../page.ts';
import {
  accountsSeenBy,
  emailAddressIs,
  hiddenIdentity,
  identityOf,
  invalidUserUid,
  managedAccount,
  mutationFlagsOf,
  userNameIs,
} from './account.ts';

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

  SearchAccounts: async ({ searchText, most }, { database, tenantId }) => {
    // Never a prepared statement: Postgres plans by the text.
    const [key, whole] = [sql`search_key_pattern(${searchText})`, sql`search_pattern(${searchText})`];
    // The second condition only where it says more: it would mislead Postgres about how many rows there are.
    const matches = sql`search_text like ${key} and (${key} = ${whole} or search_text || '' like ${whole})`;
    const { rows: items } = await sql<Response<'SearchAccounts'>['items'][number]>`
      with found_accounts as (
        (select account_id from accounts where managing_tenant_id = ${tenantId} and ${matches} limit ${most + 1})
        union
        select account_id from tenants join accounts on account_id = main_account_id
        where tenant_id = ${tenantId} and ${matches}
      ), found_suggestions as (
        select * from account_suggestions
        where upload_id = (select upload_id from account_suggestion_uploads where tenant_id = ${tenantId}) and ${matches}
        limit ${most + 1}
      )
      select * from (select 'Account' as kind, user_uid as "userUid", first_name as "firstName", last_name as "lastName",
        email_address as "emailAddress", phone_number as "phoneNumber", language_code as "languageCode",
        pup_uid as "pupUid", null as remarks
      from found_accounts join accounts using (account_id)
      left join pick_up_points on pick_up_point_id = main_pick_up_point_id
      union all
      select 'Suggestion', null, first_name, last_name, email_address, phone_number, language_code, pup_uid, remarks
      from found_suggestions limit ${most + 1}) as found
      order by lower("emailAddress" collate "C"), kind
    `.execute(database);
    const page = withinBytes(items.slice(0, most));
    return { items: page, isComplete: page.length === items.length };
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
