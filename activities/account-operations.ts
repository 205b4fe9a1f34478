// FindAccount and SetAccount, the operations that flow files have of lockerflow itself. Each may be repeated: twice has the same effect
// as once.
import { activityInfo } from '@temporalio/activity';
import { checkBusinessKey } from '../contract/flows/internal-ids.ts';
import {
  type AccountOperation,
  checkOnboardInput,
  checkSetAccount,
  type FindAccountAnswer,
  groupsOf,
  type OnboardInput,
} from '../contract/index.ts';
import { type MutationFlagName, mutationFlagNames } from '../contract/wire/fields.ts';
import type { Json } from '../flows/language/flow-file.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { comparedDetails } from './account-differences.ts';
import { createOrFindAccount, type FoundAccount } from './find-account.ts';
import { callOperation, type ReadingDependencies } from './operation-call.ts';

type Flags = Partial<Record<MutationFlagName, boolean | null | undefined>>;

/** Each throws LockerApiError, and ContractError where its input is wrong. */
export const accountOperations: Readonly<
  Record<
    AccountOperation,
    (dependencies: ReadingDependencies, input: unknown, idempotencyKey: string) => Promise<Json>
  >
> = {
  FindAccount: async (dependencies, input, idempotencyKey) => {
    // Flows are started with other SDKs too: there, nothing has checked the key yet.
    checkBusinessKey(activityInfo().workflowExecution?.workflowId ?? '');
    return await findAccount(dependencies, checkOnboardInput(input), idempotencyKey);
  },
  SetAccount: async (dependencies, input) => {
    await setAccount(dependencies, input);
    return {};
  },
};

async function findAccount(
  dependencies: ReadingDependencies,
  { request, applyDetails }: OnboardInput,
  idempotencyKey: string,
): Promise<FindAccountAnswer> {
  const result = await createOrFindAccount(dependencies, request, { idempotencyKey });
  const { userUid, isExisting, canManageUser, mainPupUid = null } = result.account;
  const flags = await differingFlags(dependencies, result, request.mutationConfig ?? {});
  const compared = await comparedDetails(dependencies, result, request);
  const { differingDetails, unknownDetails } = compared;
  const maySet = canManageUser === true;
  return {
    userUid,
    isExisting,
    canManageUser,
    ...compared,
    toSet: {
      pickUpPoint: maySet && mainPupUid !== request.pickUpPointUid ? ['pickUpPointUid'] : [],
      // Fields that cannot be compared are set too: then the account has them for certain.
      details: maySet && applyDetails === true ? [...differingDetails, ...unknownDetails] : [],
      mutationConfig: maySet ? flags : [],
    },
  };
}

/**
 * A new account has the flags that it was created with. Where an existing one's cannot be read, they are all set again. Only flags
 * with a value are wanted (interface: SetAccountMutationConfig).
 */
async function differingFlags(
  dependencies: ReadingDependencies,
  { account, flagsApplied }: FoundAccount,
  given: Flags,
): Promise<MutationFlagName[]> {
  const { userUid, isExisting } = account;
  const wanted = mutationFlagNames.filter((name) => given[name] != null);
  if (account.canManageUser === false) return [];
  if (!flagsApplied) return wanted;
  if (isExisting === false || wanted.length === 0) return [];
  try {
    const present = await callOperation(dependencies.api, 'GetAccountMutationConfig', { userUid });
    return wanted.filter((name) => given[name] !== present[name]);
  } catch (error) {
    if (error instanceof LockerApiError && !error.retryable) return wanted;
    throw error;
  }
}

async function setAccount({ api }: ReadingDependencies, input: unknown): Promise<void> {
  const { userUid, request, setsPickUpPoint, details, flags } = checkSetAccount(input);
  const { pickUpPointUid = '', mutationConfig } = request;
  if (setsPickUpPoint) await callOperation(api, 'SetAccountPickUpPoint', { userUid, pickUpPointUid });
  if (details.length > 0)
    await callOperation(api, 'SetAccountDetails', {
      userUid,
      ...Object.fromEntries(groupsOf(details).map((name) => [name, request[name]])),
    });
  if (flags.length > 0)
    await callOperation(api, 'SetAccountMutationConfig', {
      userUid,
      ...Object.fromEntries(flags.map((name) => [name, mutationConfig?.[name]])),
    });
}
