// OnboardAccount: what it sets for which account, what it leaves as it is, and how it ends when it is cancelled or refused.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { LockerApiCall } from '../../activities/flow-file-activities.ts';
import type { FindAccountAnswer } from '../../contract/flows/account-operations.ts';
import { Outside } from './outside.ts';
import { Playing } from './playing.ts';

const request = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup-central',
};
const nothingToSet: FindAccountAnswer['toSet'] = { pickUpPoint: [], details: [], mutationConfig: [] };
const asWanted: FindAccountAnswer = {
  userUid: 'user-anna',
  isExisting: true,
  canManageUser: true,
  differingDetails: [],
  unknownDetails: [],
  toSet: nothingToSet,
};
const allToSet: FindAccountAnswer['toSet'] = {
  pickUpPoint: ['pickUpPointUid'],
  details: ['phoneNumber', 'city'],
  mutationConfig: ['canRemoveManually'],
};

type Step = 'find' | keyof FindAccountAnswer['toSet'];

/** Which of its calls it is: one of SetAccount by what it sets. */
const stepOf = ({ operation, request: { fields } }: LockerApiCall): Step =>
  operation === 'FindAccount'
    ? 'find'
    : ((Object.keys(allToSet) as (keyof typeof allToSet)[]).find((part) =>
        (fields as readonly string[]).some((field) => (allToSet[part] as readonly string[]).includes(field)),
      ) ?? 'find');

interface Onboarding {
  readonly account?: Partial<FindAccountAnswer>;
  readonly applyDetails?: boolean;
  /** In the place of the answer to a call. */
  readonly during?: (step: Step) => void;
}

/** Onboards an account like this one. Records what it asks. */
function onboarding({ account, applyDetails, during }: Onboarding) {
  const asked: LockerApiCall[] = [];
  const activities: Partial<Outside['activities']> = {
    ...new Outside().activities,
    callLockerApi: async (call) => {
      const step = stepOf(call);
      during?.(step);
      asked.push(call);
      return step === 'find' ? { ...asWanted, ...account } : {};
    },
  };
  const sets = () =>
    asked.flatMap(({ operation, request: { fields } }) => (operation === 'SetAccount' ? [fields] : []));
  return { asked, sets, playing: new Playing('OnboardAccount', { request, applyDetails }, activities) };
}

const details = { differingDetails: ['phoneNumber'], unknownDetails: ['city'] } as const;

test('it finds the account by what it is started with, all of it', async () => {
  const { playing, asked } = onboarding({ applyDetails: true });
  await playing.answer();
  expect(asked).toMatchObject([{ operation: 'FindAccount', request: { request, applyDetails: true } }]);
});

test.each<[string, Partial<FindAccountAnswer>, unknown[]]>([
  ['is as it is wanted', {}, []],
  ['is new', { isExisting: false }, []],
  [
    'has another pick up point',
    { toSet: { ...nothingToSet, pickUpPoint: ['pickUpPointUid'] } },
    [['pickUpPointUid']],
  ],
  [
    'has other flags',
    { toSet: { ...nothingToSet, mutationConfig: ['canRemoveManually'] } },
    [['canRemoveManually']],
  ],
  ['differs in all', { toSet: allToSet }, Object.values(allToSet)],
  ['is of another', { canManageUser: false }, []],
])('of an account that %s it sets what it lacks, and no more', async (_, account, expected) => {
  const { playing, sets } = onboarding({ account });
  await playing.answer();
  expect(sets()).toEqual(expected);
  const { toSet: _toSet, ...found } = { ...asWanted, ...account };
  expect(playing.ending).toEqual({ kind: 'result', result: { outcome: 'Done', ...found } });
});

test.each<[string, FindAccountAnswer['toSet'], object]>([
  ['are told where they are not set', { ...allToSet, details: [] }, details],
  ['are no more told once they are set', allToSet, { differingDetails: [], unknownDetails: [] }],
])('details that differ %s', async (_, toSet, expected) => {
  const { playing } = onboarding({
    account: { ...asWanted, differingDetails: ['phoneNumber'], unknownDetails: ['city'], toSet },
  });
  await playing.answer();
  expect(playing.ending).toMatchObject({ kind: 'result', result: expected });
});

test('it says which account it is, and at which step', async () => {
  let said: unknown;
  const { playing } = onboarding({
    account: { toSet: allToSet },
    during: (step) => {
      if (step === 'details') said = playing.progress;
    },
  });
  expect(playing.progress).toMatchObject({ step: 'finding', account: null });
  await playing.answer();
  expect(said).toMatchObject({ step: 'settingDetails', account: { userUid: 'user-anna' } });
  expect(playing.details).toContain('- account `user-anna`');
});

const steps: Step[] = ['find', 'pickUpPoint', 'details', 'mutationConfig'];

test.each(steps)(
  'cancelled during %s, which then fails, it sets nothing more and ends as cancelled',
  async (at) => {
    const { playing, sets } = onboarding({
      account: { toSet: allToSet },
      during: (step) => {
        if (step !== at) return;
        playing.send({ type: 'cancelRequested' });
        throw ApplicationFailure.nonRetryable('no such pick up point', 'InvalidPupUid');
      },
    });
    await playing.answer();
    expect(sets()).toHaveLength(Math.max(0, steps.indexOf(at) - 1));
    expect(playing.ending).toEqual({ kind: 'cancelled' });
  },
);

test('cancelled during a call that is done, it sets nothing more', async () => {
  const { playing, sets } = onboarding({
    account: { toSet: allToSet },
    during: (step) => {
      if (step === 'pickUpPoint') playing.send({ type: 'cancelRequested' });
    },
  });
  await playing.answer();
  expect(sets()).toHaveLength(1);
  expect(playing.ending).toEqual({ kind: 'cancelled' });
});

test.each(steps)('refused at %s it fails with the code and the details of the service', async (at) => {
  const detail = { operation: 'SetAccountDetails', httpStatus: 403 };
  const { playing } = onboarding({
    account: { toSet: allToSet },
    during: (step) => {
      if (step === at) throw ApplicationFailure.nonRetryable('it belongs to another', 'AccessDenied', detail);
    },
  });
  await playing.answer();
  expect(playing.ending).toMatchObject({ kind: 'failed', code: 'AccessDenied', details: [detail] });
});
