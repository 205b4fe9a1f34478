// A booking with an unknown outcome: after a time-out the flow looks again, otherwise a person decides.
import {
  ActivityFailure,
  ApplicationFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { expect, test } from 'vitest';
import type { BookInput } from '../../flows/booking/activities.ts';
import { Outside, reportOf } from './outside.ts';
import { Playing } from './playing.ts';
import { requestOf } from './stories.ts';
import { refuses, resolves, storyOf } from './under-way.ts';

const story = storyOf('IssueAndSwapIntake');
const decides = { by: 'ada', why: 'asked the operator of the lockers' };

function failed(cause: Error): ActivityFailure {
  return new ActivityFailure(undefined, 'book', '1', RetryState.NON_RETRYABLE_FAILURE, undefined, cause);
}

const timedOut = (heartbeat?: unknown) =>
  failed(new TimeoutFailure(undefined, heartbeat, TimeoutType.HEARTBEAT));
const unknown = (...candidates: string[]) =>
  failed(
    ApplicationFailure.create({
      type: 'OutcomeUnknown',
      message: 'nobody knows',
      nonRetryable: true,
      details: [{ why: 'two of them may be', candidates }],
    }),
  );

/** An outside where the booking first fails with these failures, one after the other, and then succeeds. */
async function afterFailures(...failures: readonly Error[]) {
  const outside = new Outside();
  const inputs: BookInput[] = [];
  const left = [...failures];
  const { book } = outside.activities;
  outside.activities.book = async (input) => {
    inputs.push(input);
    const failure = left.shift();
    if (failure) throw failure;
    return await book(input);
  };
  const input = { request: await requestOf(story, outside), waitForLocker: 'PT1H' };
  const playing = new Playing(story.flow, input, outside.activities);
  await playing.answer();
  return { outside, playing, inputs };
}

test('a booking that timed out is searched with the data of the last heartbeat, since the doubt began', async () => {
  const heartbeat = {
    shipmentUids: ['x'],
    pupUid: null,
    lockerName: null,
    answeredAt: '2031-01-01T00:00:00Z',
  };
  const { playing, inputs } = await afterFailures(timedOut(heartbeat), timedOut());
  const [first, second, third] = inputs.map(({ unknownSince }) => unknownSince);
  expect([first, second]).toEqual([null, { at: expect.any(String), heartbeat }]);
  // An attempt without a heartbeat keeps what the last one had.
  expect(third).toEqual(second);
  const hourAfterStart = Date.parse(second?.at ?? '') + 3_600_000;
  expect(inputs.map(({ lockerWaitEndsAt }) => lockerWaitEndsAt)).toEqual(inputs.map(() => hourAfterStart));
  expect(new Set(inputs.map(({ idempotencyKey }) => idempotencyKey))).toEqual(new Set(['case-1:run-1:book']));
  expect(playing.progress.activity).toBe('Following');
});

test('a booking that goes on timing out is left to a person', async () => {
  const { playing, inputs } = await afterFailures(...Array.from({ length: 4 }, () => timedOut()));
  expect(inputs).toHaveLength(4);
  expect(playing.progress).toMatchObject({ activity: 'NeedsPerson', phase: 'NeedsPerson' });
  expect(playing.attributes).toEqual({ LockerPhase: 'NeedsPerson' });
});

test('a person has it tried again', async () => {
  const { playing, inputs } = await afterFailures(unknown());
  expect(playing.attributes).toEqual({ LockerPhase: 'NeedsPerson' });
  resolves(playing, { ...decides, action: 'retry' });
  expect(playing.progress).toMatchObject({ activity: 'Booking', phase: 'Open' });
  expect(playing.attributes).toEqual({ LockerPhase: 'Open' });
  await playing.answer();
  expect(inputs.map(({ unknownSince }) => unknownSince?.isRetryDecided)).toEqual([undefined, true]);
  expect(playing.progress).toMatchObject({
    activity: 'Following',
    resolutions: [{ action: 'retry', ...decides }],
  });
});

test('that it is tried again is decided for the next attempt alone', async () => {
  const { playing, inputs, outside } = await afterFailures(unknown());
  const { book } = outside.activities;
  outside.activities.book = async (input) => {
    outside.activities.book = book;
    inputs.push(input);
    throw timedOut();
  };
  resolves(playing, { ...decides, action: 'retry' });
  await playing.answer();
  expect(inputs.map(({ unknownSince }) => unknownSince?.isRetryDecided)).toEqual([
    undefined,
    true,
    undefined,
  ]);
});

test.each<[object, string]>([
  [{ action: 'adopt', shipments: { issue: 'one', intake: 'one' } }, 'twice'],
  [
    { action: 'setState', role: 'issue', stateCode: 'Completed' },
    'Decide that first: retry or adopt; possible now: retry, adopt',
  ],
  [{ action: 'adopt', shipments: { issue: '', intake: 'two' } }, 'issue'],
  [{ action: 'adopt', shipments: { issue: ' uid', intake: 'two' } }, 'is not a shipmentUid'],
  [{ action: 'adopt', shipments: { issue: 'x'.repeat(201), intake: 'two' } }, 'is not a shipmentUid'],
])('while it is unknown, the decision %j is refused: %s', async (decision, why) => {
  const { playing } = await afterFailures(unknown());
  const payload = { ...decides, ...decision };
  refuses(playing, 'resolve', payload, why);
});

test('what the booking itself reported is not corrected by a person', async () => {
  const { playing } = await afterFailures();
  const { issue, intake } = playing.progress.shipments;
  const shipments = { issue: intake?.shipmentUid, intake: issue?.shipmentUid };
  const payload = { ...decides, action: 'adopt', shipments };
  refuses(playing, 'resolve', payload, `issue is known to be ${issue?.shipmentUid}`);
});

test('a person adopts the shipments after their callbacks came', async () => {
  const { playing } = await afterFailures(unknown('one', 'two'));
  playing.receive(reportOf('one', 'ReadyForPickup', '2031-01-01T00:00:00'));
  const shipments = { issue: 'one', intake: 'two' };
  resolves(playing, { ...decides, action: 'adopt', shipments });
  expect(playing.progress.shipments).toMatchObject({
    issue: { shipmentUid: 'one', stateCode: 'ReadyForPickup' },
    intake: { shipmentUid: 'two', stateCode: 'Registered' },
  });
});

test('a person corrects what was adopted by mistake, also where it has come to its end', async () => {
  const { playing } = await afterFailures(unknown());
  const adopt = (shipments: object, updateId: string) =>
    playing.send({ type: 'resolve', payload: { ...decides, action: 'adopt', shipments }, updateId });
  adopt({ issue: 'wrong', intake: 'two' }, 'u1');
  playing.receive(reportOf('wrong', 'Completed', '2031-01-01T00:00:00'));
  expect(playing.progress.shipments.issue).toMatchObject({ shipmentUid: 'wrong', done: true });

  adopt({ issue: 'right', intake: 'two' }, 'u2');
  expect(playing.progress).toMatchObject({
    shipments: {
      issue: { shipmentUid: 'right', stateCode: 'ReadyForDropoff', done: false },
      intake: { shipmentUid: 'two' },
    },
    unassigned: [],
  });
  const foreign = reportOf('wrong', 'Cancelled', null);
  playing.receive(foreign);
  expect(playing.emitted).toContainEqual({ type: 'notOurs', payload: foreign });
  for (const uid of ['right', 'two']) playing.receive(reportOf(uid, 'Completed', '2031-01-02T00:00:00'));
  expect(playing.ending).toMatchObject({
    kind: 'result',
    result: { outcome: 'Done', shipments: { issue: { shipmentUid: 'right' } } },
  });
});

test('progress says why the booking is in doubt, and whether trying again may book twice', async () => {
  const cannotBeAsked = ApplicationFailure.create({
    type: 'OutcomeUnknown',
    message: 'nobody knows',
    nonRetryable: true,
    details: [{ why: 'the answer was lost', candidates: [], cannotBeAsked: true }],
  });
  const doubtAfter = async (failure: Error) => (await afterFailures(failure)).playing.progress.doubt;
  expect(await doubtAfter(failed(cannotBeAsked))).toEqual({
    why: 'the answer was lost',
    candidates: [],
    retryMayBookTwice: true,
  });
  expect(await doubtAfter(unknown('one'))).toMatchObject({ candidates: ['one'], retryMayBookTwice: false });
  const { playing } = await afterFailures(timedOut(), timedOut(), timedOut(), timedOut());
  expect(playing.progress.doubt).toMatchObject({ retryMayBookTwice: null });
});

test('a person gives it up: the process fails, and passes its callbacks on', async () => {
  const { playing } = await afterFailures(unknown());
  const report = reportOf('foreign', 'ReadyForPickup', null);
  playing.receive(report);
  resolves(playing, { ...decides, action: 'giveUp' });
  expect(playing.ending).toMatchObject({
    kind: 'failed',
    code: 'OutcomeUnknown',
    message: expect.stringContaining('ada'),
  });
  expect(playing.emitted).toContainEqual({ type: 'notOurs', payload: report });
  // A search for processes that need a person does not find it any more.
  expect(playing.attributes).toEqual({ LockerPhase: 'Open' });
});

test('a refused booking fails the process with its code, and the process passes its callbacks on', async () => {
  const refusal = failed(
    ApplicationFailure.create({ type: 'NoFittingLocker', message: 'too big', nonRetryable: true }),
  );
  const { playing } = await afterFailures(refusal);
  expect(playing.ending).toMatchObject({ kind: 'failed', code: 'NoFittingLocker', message: 'too big' });
});

test('a flow that was cancelled before its booking was refused ends as cancelled', async () => {
  const outside = new Outside();
  const playing = new Playing(story.flow, { request: await requestOf(story, outside) }, outside.activities);
  outside.activities.book = async () => {
    throw ApplicationFailure.create({ type: 'NoLockerAvailable', message: 'full', nonRetryable: true });
  };
  playing.send({ type: 'cancelRequested' });
  await playing.answer();
  expect(playing.ending).toEqual({ kind: 'cancelled' });
});

test('a flow that is cancelled while it is unknown stays until it is known, and undoes it then', async () => {
  const { playing, outside } = await afterFailures(unknown());
  playing.send({ type: 'cancelRequested' });
  expect(playing.ending).toBeUndefined();
  resolves(playing, { ...decides, action: 'retry' });
  await playing.answer();
  expect(outside.calls).toContain('undo');
});
