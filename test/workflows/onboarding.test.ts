// OnboardAccount: what it sets, and what not, by what the account is; and how it ends when it is cancelled or refused.
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
};

/** An onboarding of an account like this one, and what it sets. */
function onboarding(account: Partial<OnboardedAccount>) {
  const asked: unknown[] = [];
  const activities: Partial<Outside['activities']> = {
    ...new Outside().activities,
    createOrGetAccount: async () => ({ ...asWanted, ...account }),
    setAccountPickUpPoint: async (input) => void asked.push(input),
    setAccountMutationConfig: async (input) => void asked.push(input),
  };
  return { activities, asked, playing: new Playing('OnboardAccount', { request }, activities) };
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
  const { userUid, isExisting, canManageUser } = { ...asWanted, ...account };
  expect(playing.ending).toEqual({
    kind: 'result',
    result: { outcome: 'Done', userUid, isExisting, canManageUser },
  });
});

test('cancelled while the account is found, it sets nothing more and ends as cancelled', async () => {
  const { playing, asked } = onboarding({ mainPupUid: 'pup-station', differingFlags: differing });
  playing.send({ type: 'cancelRequested' });
  await playing.answer();
  expect(asked).toEqual([]);
  expect(playing.ending).toEqual({ kind: 'cancelled' });
});

test('cancelled while the pick up point is set, it sets no flags and ends as cancelled', async () => {
  const { playing, activities, asked } = onboarding({ mainPupUid: null, differingFlags: differing });
  activities.setAccountPickUpPoint = async () => {
    playing.send({ type: 'cancelRequested' });
    throw ApplicationFailure.nonRetryable('no such pick up point', 'InvalidPupUid');
  };
  await playing.answer();
  expect(asked).toEqual([]);
  expect(playing.ending).toEqual({ kind: 'cancelled' });
});

test.each(['createOrGetAccount', 'setAccountPickUpPoint', 'setAccountMutationConfig'] as const)(
  'refused by %s it fails with the code of the service',
  async (activity) => {
    const { playing, activities } = onboarding({ mainPupUid: null, differingFlags: differing });
    activities[activity] = async () => {
      throw ApplicationFailure.nonRetryable('it belongs to another', 'AccessDenied');
    };
    await expect(playing.answer()).rejects.toMatchObject({ type: 'AccessDenied', nonRetryable: true });
  },
);
