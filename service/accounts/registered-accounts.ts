// Which accounts there are with the e-mail address and with the user name of a request that would make one.
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import { type Account, accountsSeenBy, emailAddressIs, userNameIs } from './account.ts';
import { insertAccount, type NewAccount, userNameOf } from './new-account.ts';

export interface Registered {
  readonly byEmailAddress: Account | undefined;
  /** By the user name given, or by the one that a new account would have. */
  readonly byUserName: Account | undefined;
}

/** An account that is made at the same moment by someone else is waited for, then found: twice at most, unless a
 * mail code is taken or an account is removed just then. Without an end, a defect would make it spin. */
const MOST_ATTEMPTS = 5;

/**
 * Makes the account when nobody has its e-mail address and user name. Else `existing` tells what to do: it gives the
 * uid of the account that is meant, or refuses.
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
  throw new Error(`After ${MOST_ATTEMPTS} attempts the account is neither there nor can it be made`);
}

/** In one statement: between two, an account could be made, and be found by its user name alone. */
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
