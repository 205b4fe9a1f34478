// A question of Work about an item that lies in a locker: whoever answers may have to see it.
import { expect, test } from 'vitest';
import type { FollowedLeg } from '../../../contract/flows/booking-progress.ts';
import { questionEntry } from '../../../processes/inbox/inbox.ts';
import { itemToSee } from '../../../processes/views/item-to-see.ts';
import type { Question } from '../../../processes/views/questions.ts';
import { newBooking, newFileProgress } from '../../support/progress.ts';

const inLocker = (lockerName: string, stateCode: FollowedLeg['stateCode']) =>
  ({ shipmentUid: lockerName, stateCode, pupUid: 'pup-central', lockerName }) as unknown as FollowedLeg;
const itemIn = (shipments: Record<string, FollowedLeg>) =>
  itemToSee(newFileProgress({ bookings: [newBooking({ shipments })] }));

test('it is where the one item of the process lies', () => {
  const stock = inLocker('15', 'ReadyForPickup');
  const intake = inLocker('15', 'Completed');
  expect(itemIn({ intake, circularStock: stock })).toEqual({ pupUid: 'pup-central', lockerName: '15' });
  expect(itemIn({ issue: inLocker('16', 'ReadyForDropoff') })).toBeUndefined();
  expect(itemIn({ issue: inLocker('16', 'ReadyForPickup'), circularStock: stock })).toBeUndefined();
});

test('the entry says where it lies, leads there, and says how to look at it', () => {
  const question = {
    ...{ key: 'loan-1', runId: 'run', flow: 'DeviceLoan', pupUid: null, question: 'check', of: 'desk' },
    ...{ text: 'Is the device whole?', fields: {}, askedAt: '2031-05-01T12:00:00Z', until: null },
    ...{ priority: 50, due: null, holder: null, heldSince: null, candidates: null, not: [] },
  } satisfies Question;
  const item = { pupUid: 'pup-central', lockerName: '15' };
  const entry = questionEntry({ ...question, item }, 0);
  expect(entry).toMatchObject(item);
  expect(entry.toDo).toContain(
    ' It lies in locker 15, pup-central: if it has to be seen, take “Open to look” there.',
  );
  expect(questionEntry(question, 0).toDo).not.toContain('locker');
});
