// The inbox as people work through it: what is urgent, what is for today, and what can wait, each by its own clock.
import { expect, test } from 'vitest';
import type { InboxEntry } from '../../../processes/inbox/inbox-entry.ts';
import { workOf } from '../../../processes/inbox/work.ts';
import { inboxEntry } from './inbox-entries.ts';

const now = Date.parse('2031-05-01T12:00:00Z');
const endOfDay = Date.parse('2031-05-02T00:00:00Z');
const HOUR_MS = 3_600_000;

const grouped = (...entries: InboxEntry[]) =>
  workOf({ entries, unread: [] }, endOfDay, now).entries.map(({ id, group }) => `${group}: ${id}`);

test('what is overdue or of a high priority is urgent, what is due today comes next, the rest can wait', () => {
  const task = { inbox: 'desk', holder: null, form: '' };
  expect(
    grouped(
      inboxEntry('next week', { due: '2031-05-08T12:00:00Z' }),
      inboxEntry('without a date'),
      inboxEntry('tonight', { due: '2031-05-01T20:00:00Z' }),
      inboxEntry('goes on tonight', { task: { ...task, until: '2031-05-01T18:00:00Z' } }),
      inboxEntry('stands still', { kind: 'decision' }),
      inboxEntry('an hour ago', { due: '2031-05-01T11:00:00Z' }),
      inboxEntry('a door', { kind: 'door', priority: 90 }),
    ),
  ).toEqual([
    ...['urgent: a door', 'urgent: an hour ago'],
    ...['today: goes on tonight', 'today: tonight', 'today: stands still'],
    ...['later: next week', 'later: without a date'],
  ]);
});

test('what is due by the clock of a sandbox is compared in real time', () => {
  const due = '2031-05-01T14:00:00Z';
  expect(
    grouped(inboxEntry('real', { due }), inboxEntry('ahead', { due, clockAheadMs: 3 * HOUR_MS })),
  ).toEqual(['urgent: ahead', 'today: real']);
});

test('each of one cause keeps its own actions in its group, but for one that somebody has snoozed alone', () => {
  const form = (id: string) => ({
    id: 'extend',
    label: 'Extend',
    consequence: '',
    fields: [],
    request: { path: `/v1/${id}`, body: {} },
  });
  const late = (id: string) =>
    inboxEntry(id, {
      kind: 'late',
      cause: { id: 'pick up', title: (count) => `${count} are late` },
      remedy: 'extend',
      actions: [form(id)],
    });
  const memo = { entry: 'b', until: '2031-05-01T13:00:00Z', who: { by: 'anna' } };
  const view = { entries: ['a', 'b', 'c', 'd'].map(late), unread: [], snoozed: new Map([['b', memo]]) };
  const { entries } = workOf(view, endOfDay, now);
  expect(entries).toMatchObject([
    {
      title: '3 are late',
      actions: [],
      many: {
        keys: ['a', 'c', 'd'],
        members: ['a', 'c', 'd'].map((id) => ({ id, group: 'today', actions: [form(id)] })),
      },
    },
    { id: 'b', group: 'snoozed', snoozed: { by: 'anna' }, actions: [form('b')] },
  ]);
});
