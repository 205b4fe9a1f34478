// The statechart of OnboardAccount: find or create the account, then set what differs, where the caller may.
import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';
import { assign, setup } from 'xstate';
import type {
  CreateOrGetAccountInput,
  FlowActivities,
  OnboardedAccount,
  SetAccountDetailsInput,
} from '../../activities/flow-activities.ts';
import type { OnboardResult } from '../../contract/flows/flow-result.ts';
import type { AccountDetail, OnboardInput } from '../../contract/flows/onboard-input.ts';
import type { Request } from '../../contract/operations/operations.ts';
import { type ActivityLogic, activityLogic } from '../../driver/activity-call.ts';
import type { Ending, ProcessStart } from '../../driver/definition.ts';

export interface Onboarding {
  readonly start: ProcessStart<OnboardInput>;
  readonly account: OnboardedAccount | null;
  readonly isCancelled: boolean;
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
  return activityLogic({ activity, options: () => options, summary: () => summary, heedsCancellation: true });
}

function vocabulary() {
  return setup({
    types: {
      context: {} as Onboarding,
      input: {} as ProcessStart<OnboardInput>,
      events: {} as { type: 'cancelRequested' },
      output: {} as Ending,
    },
    actors: {
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
    },
    guards: {
      isCancelled: ({ context }) => context.isCancelled,
      hasOtherPickUpPoint: ({ context: { account, start } }) =>
        account?.canManageUser === true && account.mainPupUid !== start.input.request.pickUpPointUid,
      hasDetailsToSet: ({ context: { account, start } }) =>
        account?.canManageUser === true &&
        start.input.applyDetails === true &&
        otherDetails(account).length > 0,
      hasOtherFlags: ({ context: { account } }) =>
        account?.canManageUser === true && Object.keys(account.differingFlags).length > 0,
    },
  });
}

export function onboardingChart() {
  return vocabulary().createMachine({
    id: 'OnboardAccount',
    // It may have been started with anything: the first activity refuses what is no request.
    context: ({ input }) => ({
      start: { ...input, input: input.input ?? {} },
      account: null,
      isCancelled: false,
    }),
    output: ({ context }) => ending(context),
    initial: 'finding',
    on: { cancelRequested: { actions: assign({ isCancelled: true }) } },
    states: {
      finding: {
        invoke: {
          src: 'findAccount',
          input: ({ context: { start } }) => ({
            input: start.input,
            idempotencyKey: `${start.firstExecutionRunId}:account`,
          }),
          onDone: { target: 'found', actions: assign({ account: ({ event }) => event.output }) },
          onError: { guard: 'isCancelled', target: 'ended' },
        },
      },
      found: {
        always: [
          { guard: 'isCancelled', target: 'ended' },
          { guard: 'hasOtherPickUpPoint', target: 'settingPickUpPoint' },
          { target: 'placed' },
        ],
      },
      settingPickUpPoint: {
        invoke: {
          src: 'setPickUpPoint',
          input: ({ context }) => ({
            userUid: userUidIn(context),
            pickUpPointUid: context.start.input.request.pickUpPointUid,
          }),
          onDone: 'placed',
          onError: { guard: 'isCancelled', target: 'ended' },
        },
      },
      placed: {
        always: [
          { guard: 'isCancelled', target: 'ended' },
          { guard: 'hasDetailsToSet', target: 'settingDetails' },
          { target: 'detailed' },
        ],
      },
      settingDetails: {
        invoke: {
          src: 'setDetails',
          input: ({ context }) => ({
            userUid: userUidIn(context),
            request: context.start.input.request,
            details: otherDetails(context.account),
          }),
          onDone: { target: 'detailed', actions: assign(withoutOtherDetails) },
          onError: { guard: 'isCancelled', target: 'ended' },
        },
      },
      detailed: {
        always: [
          { guard: 'isCancelled', target: 'ended' },
          { guard: 'hasOtherFlags', target: 'settingMutationConfig' },
          { target: 'ended' },
        ],
      },
      settingMutationConfig: {
        invoke: {
          src: 'setMutationConfig',
          input: ({ context }) => ({ userUid: userUidIn(context), ...context.account?.differingFlags }),
          onDone: 'ended',
          onError: { guard: 'isCancelled', target: 'ended' },
        },
      },
      ended: { type: 'final' },
    },
  });
}

function userUidIn({ account }: Onboarding): string {
  if (!account) throw new TypeError('the account is not known yet');
  return account.userUid;
}

/** Those that cannot be compared are set as well: then the account has them for certain. */
function otherDetails(account: OnboardedAccount | null): readonly AccountDetail[] {
  return account ? [...account.differingDetails, ...account.unknownDetails] : [];
}

function withoutOtherDetails({
  context: { account },
}: {
  readonly context: Onboarding;
}): Partial<Onboarding> {
  return { account: account && { ...account, differingDetails: [], unknownDetails: [] } };
}

/** What was done for an account is not undone: a cancellation only leaves the rest. */
function ending({ account, isCancelled }: Onboarding): Ending {
  if (isCancelled || !account) return { kind: 'cancelled' };
  const { userUid, isExisting, canManageUser, differingDetails, unknownDetails } = account;
  const result: OnboardResult = {
    outcome: 'Done',
    ...{ userUid, isExisting, canManageUser, differingDetails, unknownDetails },
  };
  return { kind: 'result', result };
}
