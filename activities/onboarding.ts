// The activities that bring an account into being as it is wanted: created or found, then what still differs.

import type { Request, Response } from '../contract/index.ts';
import { mutationFlagNames } from '../contract/wire/fields.ts';
import type { ActivityMeans } from './activity-means.ts';
import { LockerApiError } from './api/index.ts';
import { headerKey } from './booking/request.ts';
import { apiFailure } from './failures.ts';
import type { CreateOrGetAccountInput, OnboardedAccount } from './flow-activities.ts';
import { callOperation } from './operation-call.ts';

type Flags = OnboardedAccount['differingFlags'];
type Account = Pick<
  Response<'CreateOrGetAccount'>,
  'userUid' | 'isExisting' | 'canManageUser' | 'mainPupUid'
>;

/** interface: Account behaviours 2 to 4. Throws ApplicationFailure. */
export async function createOrGetAccount(
  means: ActivityMeans,
  { request, idempotencyKey }: CreateOrGetAccountInput,
): Promise<OnboardedAccount> {
  // Checked against the operation's row before it is sent; whoever started the flow may have given none.
  const account = (request ?? {}) as Request<'CreateOrGetAccount'>;
  const wanted = wantedFlags(account.mutationConfig ?? {});
  try {
    const options = { idempotencyKey: headerKey(idempotencyKey) };
    const answer = await callOperation(means.api, 'CreateOrGetAccount', account, options);
    return onboarded(answer, await differingFlags(means, answer, wanted));
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    const { userUid } = error.fields;
    if (error.code !== 'MutationConfigFailed' || typeof userUid !== 'string')
      throw apiFailure(error, means.peer);
    // Behaviour 4: the account is there, its flags are not; what else is known of it the answer does not say.
    return onboarded({ userUid, isExisting: null, canManageUser: true, mainPupUid: null }, wanted);
  }
}

function onboarded(account: Account, flags: Flags): OnboardedAccount {
  const { userUid, isExisting, canManageUser, mainPupUid } = account;
  return { userUid, isExisting, canManageUser, mainPupUid, differingFlags: flags };
}

/** Only flags with a value are wanted (interface: SetAccountMutationConfig). */
function wantedFlags(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value != null));
}

/** A new account has the flags that it was created with. Where an existing one's cannot be read, they are all set again. */
async function differingFlags(means: ActivityMeans, account: Account, wanted: Flags): Promise<Flags> {
  const isAsWanted = account.isExisting === false || account.canManageUser === false;
  if (isAsWanted || Object.keys(wanted).length === 0) return {};
  try {
    const { userUid } = account;
    const present = await callOperation(means.api, 'GetAccountMutationConfig', { userUid });
    const differing = mutationFlagNames.filter(
      (name) => wanted[name] != null && wanted[name] !== present[name],
    );
    return Object.fromEntries(differing.map((name) => [name, wanted[name]]));
  } catch (error) {
    if (error instanceof LockerApiError && !error.retryable) return wanted;
    throw error;
  }
}
