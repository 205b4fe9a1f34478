// Entries of one cause are one entry, with the processes and the remedy for all of them.
import { expect, test } from 'vitest';
import { byCause } from '../../../processes/inbox/by-cause.ts';
import type { InboxEntry } from '../../../processes/inbox/inbox-entry.ts';
import { lateAtOfflineWalls } from '../../../processes/inbox/late.ts';
import { inboxEntry } from './inbox-entries.ts';

const late = (key: string, step: string, more: Partial<InboxEntry> = {}): InboxEntry => ({
  ...inboxEntry(`late:${key}`),
  kind: 'late',
  since: '2031-05-01T12:00:00.000Z',
  title: `${step}: late`,
  key,
  pupUid: 'pup-1',
  cause: { id: step, title: (count) => `${count} are late: ${step}` },
  remedy: 'extend',
  ...more,
});

test('three of one cause are one entry, where the first of them stood; two stay two', () => {
  const grouped = byCause([
    late('a', 'pick up', { due: '2031-05-01T12:00:00.000Z' }),
    late('b', 'bring back'),
    late('c', 'pick up', { since: '2031-05-01T09:00:00.000Z', due: '2031-05-01T09:00:00.000Z' }),
    late('d', 'bring back', { pupUid: 'pup-2' }),
    late('e', 'pick up'),
  ]);
  expect(grouped.map(({ title }) => title)).toEqual([
    '3 are late: pick up',
    'bring back: late',
    'bring back: late',
  ]);
  expect(grouped[0]).toMatchObject({
    since: '2031-05-01T09:00:00.000Z',
    due: '2031-05-01T09:00:00.000Z',
    key: null,
    pupUid: 'pup-1',
    many: { keys: ['a', 'c', 'e'], remedy: 'extend' },
    members: [{ key: 'a' }, { key: 'c' }, { key: 'e' }],
  });
});

test('a cause that reaches over several walls has no wall of its own', () => {
  const [group] = byCause([
    late('a', 'pick up'),
    late('b', 'pick up', { pupUid: 'pup-2' }),
    late('c', 'pick up'),
  ]);
  expect(group).toMatchObject({ pupUid: null, many: { keys: ['a', 'b', 'c'] } });
});

test('what the desk is to do at one locker is not said of all', () => {
  const toDo = 'Do for each what it says.';
  const cause = { id: 'drop off', title: (count: number) => `${count} are late`, toDo };
  const each = (key: string) => late(key, 'drop off', { cause, toDo: `Put the item into locker ${key}` });
  expect(byCause(['6', '7', '8'].map(each))).toMatchObject([{ toDo }]);
});

test('who is late at a wall that is cut off is another cause, with another remedy', () => {
  const wall: InboxEntry = { ...inboxEntry('door:pup-1:offline'), kind: 'door', offlineWall: 'pup-1' };
  const cause = {
    id: 'pick up',
    title: (count: number) => `${count} are late`,
    why: 'Their deadlines have passed.',
  };
  const away = { pupUid: 'pup-2', cause };
  const keys = ['a', 'b', 'c'];
  const [, cutOff, others] = byCause(
    lateAtOfflineWalls([
      wall,
      ...keys.map((key) => late(key, 'pick up', { cause })),
      ...['d', 'e', 'f'].map((key) => late(key, 'pick up', away)),
    ]),
  );
  expect(cutOff).toMatchObject({
    title: '3 are late, and pup-1 is offline',
    why: 'Their deadlines have passed.',
    toDo: 'They can do nothing while pup-1 is offline: extend the deadline, and tell them.',
    many: { keys },
  });
  expect(others).toMatchObject({ title: '3 are late', many: { keys: ['d', 'e', 'f'] } });
});
