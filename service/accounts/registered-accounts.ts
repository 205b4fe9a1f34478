// The accounts that already have the e-mail address or the user name of a request for a new account.
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import { type Account, accountsSeenBy, emailAddressIs, userNameIs } from './account.ts';
import { insertAccount, type NewAccount, userNameOf } from './new-account.ts';

export interface Registered {
  readonly byEmailAddress: Account | undefined;
  /** By the given user name, or by the user name that the new account would have. */
  readonly byUserName: Account | undefined;
}

/**
 * The request waits for a concurrent creation, then finds the account: at most twice, unless a mail code is taken
 * or an account is removed at that moment. Without a limit, a defect would make it loop for ever.
 */
const MOST_ATTEMPTS = 5;

/**
 * Makes the account if no account has its e-mail address and user name. Else `existing` decides: it gives the uid of
 * the account that the request means, or refuses.
 */
export async function findOrInsert<Found>(
  transaction: Kysely<Database>,
  { tenantId, pickUpPointId }: { readonly tenantId: number; readonly pickUpPointId: number },
  request: NewAccount,
  existing: (registered: Registered) => Promise<Found>,
): Promise<Found | { readonly userUid: string; readonly isNew: true; readonly managed: true }> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const registered = await registeredAccounts(transaction, tenantId, request);
    if (registered.byEmailAddress || registered.byUserName) return existing(registered);
    const userUid = await insertAccount(transaction, request, pickUpPointId);
    if (userUid !== undefined) return { userUid, isNew: true, managed: true };
  }
  throw new Error(`After ${MOST_ATTEMPTS} attempts the account does not exist and cannot be made`);
}

/**
 * One statement: between two statements another request could make the account, and only the user name would be
 * found.
 */
async function registeredAccounts(
  transaction: Kysely<Database>,
  tenantId: number,
  request: NewAccount,
): Promise<Registered> {
  const hasEmailAddress = emailAddressIs(request.emailAddress);
  const hasUserName = userNameIs(userNameOf(request));
  const found = await accountsSeenBy(transaction, tenantId)
    .select([hasEmailAddress.as('hasEmailAddress'), hasUserName.as('hasUserName')])
    .where(({ or }) => or([hasEmailAddress, hasUserName]))
    .execute();
  return {
    byEmailAddress: found.find((account) => account.hasEmailAddress),
    byUserName: found.find((account) => account.hasUserName),
  };
}
