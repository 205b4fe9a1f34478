// The activity that finds or creates an account, and tells what of it is not yet as it is wanted.
import { activityInfo } from '@temporalio/activity';
import { checkBusinessKey } from '../contract/flows/internal-ids.ts';
import { ContractError, checkOnboardInput, type OnboardInput } from '../contract/index.ts';
import { mutationFlagNames } from '../contract/wire/fields.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { comparedDetails } from './account-differences.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { apiFailure, invalidInput } from './failures.ts';
import { createOrFindAccount, type FoundAccount } from './find-account.ts';
import type { CreateOrGetAccountInput, OnboardedAccount } from './flow-activities.ts';
import { headerKey } from './header-key.ts';
import { callOperation } from './operation-call.ts';

type Flags = OnboardedAccount['differingFlags'];

export async function createOrGetAccount(
  dependencies: ActivityDependencies,
  { input, idempotencyKey }: CreateOrGetAccountInput,
): Promise<OnboardedAccount> {
  const { request } = checkedInput(input);
  try {
    const result = await createOrFindAccount(dependencies, request, {
      idempotencyKey: headerKey(idempotencyKey),
    });
    const { userUid, isExisting, canManageUser, mainPupUid = null } = result.account;
    return {
      userUid,
      isExisting,
      canManageUser,
      mainPupUid,
      differingFlags: await differingFlags(dependencies, result, wantedFlags(request.mutationConfig ?? {})),
      ...(await comparedDetails(dependencies, result, request)),
    };
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, dependencies.serviceProfile) : error;
  }
}

function checkedInput(input: unknown): OnboardInput {
  try {
    // Flows are started with other SDKs too: there, nothing has checked the key yet.
    checkBusinessKey(activityInfo().workflowExecution?.workflowId ?? '');
    return checkOnboardInput(input);
  } catch (error) {
    throw error instanceof ContractError ? invalidInput(error) : error;
  }
}

/** Only flags with a value are wanted (interface: SetAccountMutationConfig). */
function wantedFlags(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value != null));
}

/** A new account has the flags that it was created with. Where an existing one's cannot be read, they are all set again. */
async function differingFlags(
  dependencies: ActivityDependencies,
  { account, flagsApplied }: FoundAccount,
  wanted: Flags,
): Promise<Flags> {
  const { userUid, isExisting, canManageUser } = account;
  if (canManageUser === false) return {};
  if (!flagsApplied) return wanted;
  if (isExisting === false || Object.keys(wanted).length === 0) return {};
  try {
    const present = await callOperation(dependencies.api, 'GetAccountMutationConfig', { userUid });
    const differing = mutationFlagNames.filter(
      (name) => wanted[name] != null && wanted[name] !== present[name],
    );
    return Object.fromEntries(differing.map((name) => [name, wanted[name]]));
  } catch (error) {
    if (error instanceof LockerApiError && !error.retryable) return wanted;
    throw error;
  }
}
