// A booking whose answer did not come is asked for again as the same one, whatever its process calls it by then.
import { ActivityFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { expect, test } from 'vitest';
import { fromPromise } from 'xstate';
import { inlineActorOf } from '../../../engine/inline-actor.ts';
import type { BookInput } from '../../../flows/booking/activities.ts';
import { bookingActor } from '../../../flows/booking/booking-actor.ts';

const nothing = fromPromise(async () => null);
const actor = inlineActorOf(bookingActor({ book: nothing, undo: nothing, changeReceiver: nothing }));
if (!actor) throw new TypeError('a booking is an inline actor');

const start = { flow: 'Loan', version: 1, input: {}, workflowId: 'loan-1', firstExecutionRunId: 'run-1' };
const invoke = (id: string, count: number) => ({ id, count, context: {}, start, now: 0 });
const timedOut = new ActivityFailure(
  'an activity timed out',
  'book',
  '1',
  RetryState.TIMEOUT,
  'worker',
  new TimeoutFailure('it took too long', null, TimeoutType.START_TO_CLOSE),
);

test.each([
  ['its state is left', 'loan', 1, 'loan left'],
  ['its state is left, the second time', 'loan', 2, 'loan left 2'],
  ['its invoke is renamed by a migration', 'loan', 1, 'lent'],
])('the attempt that follows is the same booking where %s', (_, id, count, later) => {
  const input = { operation: 'CreateLocalShipmentAsIssue', request: { toUserUid: 'anna' } };
  const first = actor.begin({ input, subscriptions: [] }, invoke(id, count));
  const event = { type: `xstate.error.actor.${later}.booking`, actorId: `${later}.booking`, error: timedOut };
  const second = actor.take(first.state, event, invoke(later, 1));
  const booked = [first, second].map(({ calls = [] }) => calls[0]?.input as BookInput);
  expect(booked[0]?.idempotencyKey).toMatch(count === 1 ? /:loan$/ : /:loan\/2$/);
  const { unknownSince: __, ...again } = booked[1] ?? {};
  const { unknownSince: ___, ...before } = booked[0] ?? {};
  expect(again).toEqual(before);
});
