// OnboardAccount: what it sets for which account, what it leaves as it is, and how it ends when it is cancelled or refused.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { OnboardedAccount } from '../../activities/flow-activities.ts';
import { Outside } from './outside.ts';
import { Playing } from './playing.ts';

const request = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup-central',
};
const asWanted: OnboardedAccount = {
  userUid: 'user-anna',
  isExisting: true,
  canManageUser: true,
  mainPupUid: 'pup-central',
  differingFlags: {},
  differingDetails: [],
  unknownDetails: [],
};

/** Onboards an account like this one. Records what the flow sets. */
function onboarding(account: Partial<OnboardedAccount>, applyDetails?: boolean) {
  const asked: unknown[] = [];
  const activities: Partial<Outside['activities']> = {
    ...new Outside().activities,
    createOrGetAccount: async () => ({ ...asWanted, ...account }),
    setAccountPickUpPoint: async (input) => void asked.push(input),
    setAccountDetails: async (input) => void asked.push(input),
    setAccountMutationConfig: async (input) => void asked.push(input),
  };
  return { activities, asked, playing: new Playing('OnboardAccount', { request, applyDetails }, activities) };
}

const place = { userUid: 'user-anna', pickUpPointUid: 'pup-central' };
const flags = { userUid: 'user-anna', canRemoveManually: false };
const differing = { canRemoveManually: false };

test.each<[string, Partial<OnboardedAccount>, unknown[]]>([
  ['is as it is wanted', {}, []],
  ['is new', { isExisting: false }, []],
  ['has another pick up point', { mainPupUid: 'pup-station' }, [place]],
  ['has other flags', { differingFlags: differing }, [flags]],
  ['differs in both', { mainPupUid: null, isExisting: null, differingFlags: differing }, [place, flags]],
  ['is of another', { canManageUser: false, mainPupUid: null, differingFlags: differing }, []],
])('of an account that %s it sets what differs, and no more', async (_, account, sets) => {
  const { playing, asked } = onboarding(account);
  await playing.answer();
  expect(asked).toEqual(sets);
  const { mainPupUid: _place, differingFlags: _flags, ...found } = { ...asWanted, ...account };
  expect(playing.ending).toEqual({ kind: 'result', result: { outcome: 'Done', ...found } });
});

const other = { differingDetails: ['phoneNumber'], unknownDetails: ['city'] } as const;
const details = { userUid: 'user-anna', request, details: ['phoneNumber', 'city'] };

test.each<[string, Partial<OnboardedAccount>, boolean | undefined, unknown[], object]>([
  ['are reported', other, undefined, [], other],
  ['are reported', other, false, [], other],
  [
    'are set where the caller says so',
    { ...other, mainPupUid: null, differingFlags: differing },
    true,
    [place, details, flags],
    { differingDetails: [], unknownDetails: [] },
  ],
  ['are left alone in an account of another', { ...other, canManageUser: false }, true, [], other],
])('details that differ %s', async (_, account, applyDetails, sets, expected) => {
  const { playing, asked } = onboarding(account, applyDetails);
  await playing.answer();
  expect(asked).toEqual(sets);
  expect(playing.ending).toMatchObject({ kind: 'result', result: expected });
});

test.each(['createOrGetAccount', 'setAccountPickUpPoint', 'setAccountDetails'] as const)(
  'cancelled during %s, which then fails, it sets nothing more and ends as cancelled',
  async (during) => {
    const differs = {
      ...other,
      differingFlags: differing,
      ...(during === 'setAccountPickUpPoint' && { mainPupUid: null }),
    };
    const { playing, activities, asked } = onboarding(differs, true);
    activities[during] = async () => {
      playing.send({ type: 'cancelRequested' });
      throw ApplicationFailure.nonRetryable('no such pick up point', 'InvalidPupUid');
    };
    await playing.answer();
    expect(asked).toEqual([]);
    expect(playing.ending).toEqual({ kind: 'cancelled' });
  },
);

test.each([
  'createOrGetAccount',
  'setAccountPickUpPoint',
  'setAccountDetails',
  'setAccountMutationConfig',
] as const)('refused by %s it fails with the code of the service', async (activity) => {
  const { playing, activities } = onboarding({ ...other, mainPupUid: null, differingFlags: differing }, true);
  activities[activity] = async () => {
    throw ApplicationFailure.nonRetryable('it belongs to another', 'AccessDenied');
  };
  await playing.answer();
  expect(playing.ending).toMatchObject({ kind: 'failed', code: 'AccessDenied' });
});
