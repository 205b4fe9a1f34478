// What the headline of a process says of the flows that it has started. (Of doors: test/console/stuck-doors.test.ts.)
import { expect, test } from 'vitest';
import type { Headline } from '../../../../console/process/glance/glance-view.ts';
import { withChildren } from '../../../../console/process/glance/headline-around.ts';
import type { WaitCode } from '../../../../contract/flows/wait-codes.ts';

const happening = (words: string, code: WaitCode) => ({ code, words, until: null, isOverdue: false });

const own: Headline = {
  title: 'Loan',
  parent: null,
  status: { words: 'On its way', tone: 'good' },
  where: [],
  next: [happening('The loan is over.', 'Flow'), happening('It hears of “cancelled”.', 'Event')],
  wrong: ['Its own.'],
  todo: null,
  primary: null,
};

test('what a child waits for is said in place of its end, with where its item is and what is wrong', () => {
  const child: Headline = {
    ...own,
    where: [{ words: 'In locker 7', pupUid: 'pup-central' }],
    next: [happening('The receiver takes the item out of the locker.', 'PickUp')],
    wrong: ['The pick up is overdue.'],
  };
  expect(withChildren(own, [{ headline: child }, { headline: null }])).toEqual({
    ...own,
    where: child.where,
    next: [...child.next, happening('It hears of “cancelled”.', 'Event')],
    wrong: ['Its own.', 'The pick up is overdue.'],
  });
  expect(withChildren(own, [{ headline: null }])).toBe(own);
});
