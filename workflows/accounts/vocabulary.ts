// What the names in the chart of OnboardAccount mean: its guards, actions, activities and functions.
import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';
import { assign, enqueueActions } from 'xstate';
import type {
  CreateOrGetAccountInput,
  FlowActivities,
  OnboardedAccount,
  SetAccountDetailsInput,
} from '../../activities/flow-activities.ts';
import type { OnboardResult } from '../../contract/flows/flow-answers.ts';
import type { AccountDetail, OnboardInput } from '../../contract/flows/onboard-input.ts';
import type { Request } from '../../contract/operations/operations.ts';
import { type ActivityLogic, activityLogic } from '../../engine/actor-kinds.ts';
import type { Ending, ProcessStart } from '../../engine/definition/definition.ts';
import { type Failure, failureOf } from '../../flows/booking/failure.ts';
import { endNotification, notificationRequestIn } from '../../flows/booking/notification-request.ts';
import type { Vocabulary } from '../chart-data.ts';

export interface Onboarding {
  readonly start: ProcessStart<OnboardInput>;
  readonly account: OnboardedAccount | null;
  readonly isCancelled: boolean;
  /** Why it could not be onboarded. */
  readonly failure?: Failure;
}

interface ChartArguments {
  readonly context: Onboarding;
}

const options: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
};

function accountActivity<Output, Input>(
  activity: keyof FlowActivities,
  summary: string,
): ActivityLogic<Output, Input> {
  return activityLogic({ activity, options: () => options, summary: () => summary, isCancellable: true });
}

const actors = {
  findAccount: accountActivity<OnboardedAccount, CreateOrGetAccountInput>(
    'createOrGetAccount',
    'find or create the account',
  ),
  setPickUpPoint: accountActivity<void, Request<'SetAccountPickUpPoint'>>(
    'setAccountPickUpPoint',
    'set the pick up point of the account',
  ),
  setDetails: accountActivity<void, SetAccountDetailsInput>(
    'setAccountDetails',
    'set the details of the account',
  ),
  setMutationConfig: accountActivity<void, Request<'SetAccountMutationConfig'>>(
    'setAccountMutationConfig',
    'set the mutation configuration of the account',
  ),
};

const guards = {
  isCancelled: ({ context }: ChartArguments) => context.isCancelled,
  hasOtherPickUpPoint: ({ context: { account, start } }: ChartArguments) =>
    account?.canManageUser === true && account.mainPupUid !== start.input.request.pickUpPointUid,
  hasDetailsToSet: ({ context: { account, start } }: ChartArguments) =>
    account?.canManageUser === true && start.input.applyDetails === true && otherDetails(account).length > 0,
  hasOtherFlags: ({ context: { account } }: ChartArguments) =>
    account?.canManageUser === true && Object.keys(account.differingFlags).length > 0,
};

const actions = {
  noteAccount: assign(({ event }) => ({
    account: (event as unknown as { output: OnboardedAccount }).output,
  })),
  noteDetailsSet: assign(({ context }) => {
    const { account } = context as Onboarding;
    return { account: account && { ...account, differingDetails: [], unknownDetails: [] } };
  }),
  noteCancellation: assign({ isCancelled: true }),
  notifyEnd: enqueueActions(({ context, enqueue }) => {
    const onboarding = context as Onboarding;
    const tell = notificationRequestIn(onboarding.start.input);
    for (const each of tell ? endNotification(tell, ending(onboarding)) : []) enqueue.emit(each as never);
  }),
  noteFailure: assign(({ event }) => ({
    failure: failureOf((event as unknown as { error: unknown }).error),
  })),
};

const functions = {
  /** Its input may be anything: the first activity refuses an invalid request. */
  nothingKnown: ({ input }: { readonly input: ProcessStart<OnboardInput> }): Onboarding => ({
    start: { ...input, input: input.input ?? {} },
    account: null,
    isCancelled: false,
  }),
  accountSought: ({ context: { start } }: ChartArguments): CreateOrGetAccountInput => ({
    input: start.input,
    idempotencyKey: `${start.firstExecutionRunId}:account`,
  }),
  pickUpPointToSet: ({ context }: ChartArguments): Request<'SetAccountPickUpPoint'> => ({
    userUid: userUidIn(context),
    pickUpPointUid: context.start.input.request.pickUpPointUid,
  }),
  detailsToSet: ({ context }: ChartArguments): SetAccountDetailsInput => ({
    userUid: userUidIn(context),
    request: context.start.input.request,
    details: otherDetails(context.account),
  }),
  flagsToSet: ({ context }: ChartArguments): Request<'SetAccountMutationConfig'> => ({
    userUid: userUidIn(context),
    ...context.account?.differingFlags,
  }),
  ending: ({ context }: ChartArguments) => ending(context),
};

export const onboardingVocabulary: Vocabulary = { guards, actions, delays: {}, actors, functions };

function userUidIn({ account }: Onboarding): string {
  if (!account) throw new TypeError('the account is not known yet');
  return account.userUid;
}

/** Fields that cannot be compared are set too: then the account has them for certain. */
function otherDetails(account: OnboardedAccount | null): readonly AccountDetail[] {
  return account ? [...account.differingDetails, ...account.unknownDetails] : [];
}

/** Changes of an account are not undone: a cancellation only skips the rest. */
function ending({ account, isCancelled, failure }: Onboarding): Ending {
  if (failure) return { kind: 'failed', ...failure };
  if (isCancelled || !account) return { kind: 'cancelled' };
  const { userUid, isExisting, canManageUser, differingDetails, unknownDetails } = account;
  const result: OnboardResult = {
    outcome: 'Done',
    userUid,
    isExisting,
    canManageUser,
    differingDetails,
    unknownDetails,
  };
  return { kind: 'result', result };
}
