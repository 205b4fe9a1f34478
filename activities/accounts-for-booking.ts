// Accounts in place of uids: each is created, or found where it exists, before the booking names it.
import { log } from '@temporalio/activity';
import type { CheckedFlowInput, UidField } from '../contract/index.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { apiFailure } from './failures.ts';
import { createOrFindAccount } from './find-account.ts';
import type { ReadingDependencies } from './operation-call.ts';

/** The uids of the accounts that the input gives. Throws ApplicationFailure. */
export async function accountUids(
  dependencies: ReadingDependencies,
  users: CheckedFlowInput['users'],
): Promise<Partial<Record<UidField, string>>> {
  const uids: Partial<Record<UidField, string>> = {};
  // One after the other: both may be the same new account.
  for (const field of ['toUserUid', 'fromUserUid'] as const) {
    const account = users[field];
    if (account) uids[field] = await accountUid(dependencies, account);
  }
  return uids;
}

async function accountUid(
  dependencies: ReadingDependencies,
  account: NonNullable<CheckedFlowInput['users'][UidField]>,
): Promise<string> {
  try {
    const { account: existing, flagsApplied } = await createOrFindAccount(dependencies, account);
    // What the account's user may change does not concern a booking, so it continues without.
    if (!flagsApplied)
      log.warn(
        'the service did not apply the mutation configuration of an account; the booking continues, and OnboardAccount can set it',
        { userUid: existing.userUid, canManageUser: existing.canManageUser },
      );
    return existing.userUid;
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, dependencies.serviceProfile) : error;
  }
}
