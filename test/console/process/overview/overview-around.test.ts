// What the overview of a process says of the flows that it has started. (Of doors with everything real: test/console/stuck-doors.test.ts.)
import { expect, test } from 'vitest';
import {
  withChildren,
  withDoors,
  withItemToSee,
  withReasonOfLate,
} from '../../../../console/process/overview/overview-around.ts';
import type { LockerShown, ProcessOverview } from '../../../../console/process/overview/overview-view.ts';
import type { WaitCode } from '../../../../contract/flows/wait-codes.ts';
import type { ShutDoor } from '../../../../processes/views/shut-doors.ts';

const happening = (words: string, code: WaitCode) => ({ code, words, until: null, isOverdue: false });

const own: ProcessOverview = {
  title: 'Loan',
  parent: null,
  status: { words: 'In progress', tone: 'plain' },
  where: [],
  itemNow: null,
  movedTo: null,
  next: [happening('The loan is over.', 'Flow'), happening('It hears of “cancelled”.', 'Event')],
  wrong: ['Its own.'],
  hasFault: false,
  technical: [],
  todoCode: null,
  desk: [],
  tried: [],
  doubts: [],
  unread: [],
  todo: null,
  primary: null,
  remedies: [],
};

const shown = { title: 'Issue', isOpen: true };

test('what a child waits for is said in place of its end, with where its item is and what is wrong', () => {
  const child: ProcessOverview = {
    ...own,
    where: [{ words: 'In locker 7', pupUid: 'pup-central' }],
    next: [happening('The receiver takes the item out of the locker.', 'PickUp')],
    wrong: ['The pick up is overdue.'],
  };
  const read = { shown, overview: child, urgency: 1 };
  const silent = { shown, overview: null, urgency: null };
  expect(withChildren(own, 1, [read, silent])).toEqual({
    ...own,
    where: child.where,
    next: [...child.next, happening('It hears of “cancelled”.', 'Event')],
    wrong: ['Its own.', 'The pick up is overdue.'],
  });
  expect(withChildren(own, 1, [silent])).toBe(own);
});

test('who is asked about an item in a locker is told how to see it, where it is plain which one', () => {
  const locker = (lockerName: string, goal: LockerShown['goal']): LockerShown => ({
    ...{ key: 'loan-1', shipmentUid: lockerName, words: '', pupUid: 'pup-central' },
    ...{ lockerName, goal, isForDesk: false },
  });
  const asked = { ...own, todo: 'Answer the question to desk.' };
  expect(withItemToSee(asked, [locker('15', 'PickUp'), locker('16', 'DropOff')]).todo).toBe(
    'Answer the question to desk. It lies in locker 15: if it has to be seen, take “Open to look” there.',
  );
  expect(withItemToSee(asked, [locker('15', 'PickUp'), locker('17', 'PickUp')])).toBe(asked);
  expect(withItemToSee(asked, [locker('16', 'DropOff')])).toBe(asked);
});

test('of many it is said how far they are, and the same of several once', () => {
  const child = (words: string): ProcessOverview => ({
    ...own,
    where: [{ words: 'In locker 7', pupUid: 'pup-central' }],
    next: [happening(words, 'DropOff')],
  });
  const read = (words: string) => ({ shown, overview: child(words), urgency: 1 });
  const parent = { ...own, next: [happening('Device: 0 of 3 done.', 'Batch')] };
  const many = withChildren(
    parent,
    1,
    [read('It comes.'), read('It comes.'), read('It goes.')],
    ['0 of 3 back'],
  );
  expect(many.where).toEqual([{ words: '0 of 3 back', pupUid: null }]);
  expect(many.next.map(({ words }) => words)).toEqual(['It comes (2 parts).', 'It goes.']);
});

test('the badge is that of the most urgent, whose main button and whose to do come first, with its name', () => {
  const late: ProcessOverview = {
    ...own,
    status: { words: 'Overdue', tone: 'late' },
    wrong: [],
    todo: 'Ask the person.',
    primary: 'loan/issue:extend',
  };
  const asking = { ...own, todo: 'Answer the question.', primary: 'answer:check' };
  const read = { shown, overview: late, urgency: 3 };
  expect(withChildren(asking, 2, [read])).toMatchObject({
    status: late.status,
    todo: 'Issue: Ask the person. Answer the question.',
    primary: 'loan/issue:extend',
  });
  // How it has ended stays.
  expect(withChildren(own, null, [read]).status).toEqual(own.status);
  const decision = { ...asking, status: { words: 'Needs a person', tone: 'fault' as const } };
  expect(withChildren(decision, 4, [read])).toMatchObject({
    status: decision.status,
    todo: 'Answer the question. Issue: Ask the person.',
    primary: 'answer:check',
  });
});

const door = (lockerName: string, wallOffline: boolean): ShutDoor =>
  ({
    pupUid: 'pup-central',
    lockerName,
    lockerUid: `pup-central-${lockerName}`,
    door: wallOffline ? 'Unknown' : 'Closed',
    doorFailure: { occurredAt: '2031-05-01T11:18:00.000', reason: 'it did not answer', wallOffline },
  }) as unknown as ShutDoor;

const locker = (lockerName: string): LockerShown => ({
  key: 'loan-1',
  shipmentUid: `shipment-${lockerName}`,
  words: 'Issue: to be picked up',
  pupUid: 'pup-central',
  lockerName,
  goal: 'PickUp',
  isForDesk: false,
});

test('an offline wall is said once, by its name and since when, and a door that was asked to open is said apart', () => {
  const names = new Map([['pup-central', 'Central']]);
  const lockers = [locker('7'), locker('8')];
  expect(withDoors(own, lockers, [door('7', true), door('8', true), door('9', true)], names)).toMatchObject({
    wrong: ['Central is offline since 2031-05-01T11:18:00.000Z: its doors cannot be opened.', 'Its own.'],
    todo: expect.stringContaining('See that the wall has power and a network'),
    remedies: [
      { kind: 'act', id: 'byHand:shipment-7' },
      { kind: 'act', id: 'byHand:shipment-8' },
    ],
  });
  expect(withDoors(own, lockers, [door('7', false)], names)).toMatchObject({
    wrong: ['Its own.', 'The door of locker 7 stayed shut: it did not answer.'],
    todo: expect.stringContaining('Let somebody go there, and open it again.'),
    remedies: [
      { kind: 'act', id: 'open:shipment-7' },
      { kind: 'act', id: 'byHand:shipment-7' },
      { kind: 'act', id: 'outOfOrder:pup-central-7' },
    ],
  });
  // What is inside is not moved, and what is not there yet may be.
  const { remedies, todo } = withDoors(
    own,
    [{ ...locker('7'), goal: 'DropOff' }],
    [door('7', false)],
    names,
    true,
  );
  expect(remedies.map(({ kind }) => kind)).toEqual(['act', 'act', 'act', 'move', 'act']);
  expect(remedies[0]).toEqual({ kind: 'act', id: 'look:pup-central-7' });
  expect(todo).toContain('move it to another locker');
});

test('what is done about an offline wall comes before what is done about the case', () => {
  const late = { ...own, todo: 'Ask the person what keeps them.' };
  const { todo } = withDoors(late, [locker('7')], [door('7', true)], new Map([['pup-central', 'Central']]));
  expect(todo).toMatch(/^See that the wall has power and a network.* Ask the person what keeps them\.$/);
});

test('who is late at a door that does not open is not asked why', () => {
  const names = new Map([['pup-central', 'Station']]);
  const late = { todo: 'Ask the person what keeps them.', todoCode: 'PickUpIsLate' } as const;
  const todo = (shut: readonly ShutDoor[], own: Pick<ProcessOverview, 'todo' | 'todoCode'> = late) =>
    withReasonOfLate(own, [locker('7')], shut, names).todo;
  expect(todo([door('7', true)])).toBe(
    'They cannot fetch it while Station is offline: extend the deadline, and tell them.',
  );
  expect(todo([door('7', false)], { ...late, todoCode: 'DropOffIsLate' })).toBe(
    'They cannot put it in while the door of locker 7 is stuck: extend the deadline, and tell them.',
  );
  expect(todo([door('8', true)])).toBe(late.todo);
  expect(todo([door('7', true)], { ...late, todoCode: null })).toBe(late.todo);
});
