// What the page says is wrong with a built-in flow, and what to do, by where its booking stands.
import { expect, test } from 'vitest';
import { headlineOf } from '../../../../console/process/glance/headline.ts';
import type { Progress } from '../../../../contract/flows/flow-answers.ts';
import { newProgress } from '../../../support/progress.ts';

const booking = (words: string): Progress =>
  newProgress({
    activity: 'Booking',
    waitingFor: [
      { kind: 'booking', words, until: null, since: null, who: null },
    ] as unknown as Progress['waitingFor'],
  });

const headline = (words: string, attempt: number) =>
  headlineOf({
    process: {
      flow: 'Issue',
      status: 'Running',
      failure: null,
      trying: [{ activity: 'book', attempt, lastFailure: 'no answer', nextTryAt: null }],
    },
    progress: booking(words),
    actionForms: [],
    chart: null,
    timers: [],
    parent: null,
  });

test('a booking that is tried again is wrong, and one that waits for a free locker is not', () => {
  expect(headline('the booking', 2).wrong).toEqual(['Book failed once and is tried again: no answer.']);
  expect(headline('the booking', 4).wrong).toEqual(['Book failed 3 times and is tried again: no answer.']);
  expect(headline('a free locker', 4).wrong).toEqual([]);
});

test('after a refused booking the page says to start again', () => {
  const failure = { code: 'NoLockerAvailable', message: 'no locker is free' };
  const { wrong, todo } = headlineOf({
    process: { flow: 'Issue', status: 'Failed', failure, trying: [] } as never,
    progress: { ...booking(''), waitingFor: [] },
    actionForms: [],
    chart: null,
    timers: [],
    parent: null,
  });
  expect(wrong).toEqual(['No locker is free.']);
  expect(todo).toBe('Nothing is booked. Start it again, with another size, place or person, or later.');
});
