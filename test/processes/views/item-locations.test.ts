// Where the items of a process are: that somebody has one is data, whatever the words for it are.
import { expect, test } from 'vitest';
import type { FollowedLeg } from '../../../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { waitingFor } from '../../../flows/language/waiting-for.ts';
import { deskTasksOf } from '../../../processes/views/desk-tasks.ts';
import { type WhereTexts, whereOf } from '../../../processes/views/item-locations.ts';
import { rowStateOf } from '../../../processes/views/row-state.ts';
import { formatWaitingFor } from '../../../processes/views/wait-texts.ts';
import { newProgress } from '../../support/progress.ts';

const leg = (shipmentUid: string, stateCode: string): FollowedLeg => ({
  shipmentUid,
  stateCode,
  stateStart: null,
  pupUid: 'pup-central',
  lockerName: '7',
  done: stateCode === 'Completed',
});

const texts: WhereTexts = {
  left: () => 'the same',
  withUser: () => 'the same',
  notYet: () => 'the same',
  inside: () => 'the same',
};

test('an item that is out and to be brought back is with somebody; one that nobody had yet is not', () => {
  const isWithPerson = (shipments: Record<string, FollowedLeg>, isOpen = true) =>
    whereOf(newProgress({ shipments }), isOpen, texts).map((each) => each.isWithPerson === true);
  const intake = leg('intake', 'ReadyForDropoff');
  const out = { issue: leg('issue', 'Completed'), intake };
  expect(isWithPerson(out)).toEqual([true]);
  expect(isWithPerson({ intake })).toEqual([false]);
  expect(isWithPerson({ issue: leg('issue', 'ReadyForPickup'), intake })).toEqual([false, false]);
  expect(whereOf(newProgress({ shipments: out }), true)[0]).toMatchObject({
    words: 'With the user; locker 7 is booked for it',
    booked: 'locker 7 is booked for it',
  });
  // A row of a list says so, too: it is where they are to bring it.
  expect(rowStateOf(newProgress({ shipments: out }) as unknown as ProcessProgress).where).toEqual({
    words: 'With them; locker 7 is booked for it',
    pupUid: 'pup-central',
    isWithPerson: true,
  });
  // Who has it now an ended process does not know.
  expect(isWithPerson(out, false)).toEqual([false]);
});

test('what lies in the locker after a swap is the returned item, and never the one that was handed out', () => {
  const progress = newProgress({
    flow: 'IssueAndSwapIntake',
    shipments: { issue: leg('issue', 'Completed'), intake: leg('intake', 'ReadyForPickup') },
    waitingFor: [
      waitingFor({
        ...{ code: 'PickUp', role: 'intake' },
        params: { role: 'intake', until: null, isOverdue: false },
        shipmentUid: 'intake',
      }),
    ],
  }) as unknown as ProcessProgress;
  const [awaited] = progress.waitingFor;
  expect(whereOf(progress, true).map(({ words }) => words)).toEqual(['The returned item: in locker 7']);
  expect(rowStateOf(progress).where?.words).toBe('The returned item: locker 7');
  expect(deskTasksOf(progress)).toEqual(['take the returned item out of locker 7']);
  expect(awaited && formatWaitingFor(awaited, progress)).toBe(
    'The desk takes the returned item out of the locker',
  );
  // Until then it is the one that is handed out.
  const before = { issue: leg('issue', 'ReadyForPickup'), intake: leg('intake', 'Registered') };
  const booked = newProgress({ flow: 'IssueAndSwapIntake', shipments: before });
  expect(whereOf(booked, true).map(({ words }) => words)).toEqual(['In locker 7']);
  // A return by itself is the item of its case.
  const intake = { intake: leg('intake', 'ReadyForPickup') };
  expect(whereOf(newProgress({ flow: 'Intake', shipments: intake }), true)[0]?.words).toBe('In locker 7');
});
