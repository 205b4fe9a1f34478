// What waits for a person, as the command line prints it.
import { expect, test } from 'vitest';
import { formatInbox } from '../../cli/format-inbox.ts';
import type { WorkEntry } from '../../processes/inbox/inbox-entry.ts';

const entry = (given: Partial<WorkEntry>) =>
  ({
    group: 'today',
    title: '3 starts failed',
    since: '2031-05-01T02:08:18.822Z',
    key: null,
    shipmentUid: null,
    why: 'No locker is free.',
    ifNothing: 'Whoever wanted it still waits.',
    toDo: 'Start it again.',
    ...given,
  }) as WorkEntry;
const many = (count: number) => ({
  many: { keys: Array.from({ length: count }, (_, index) => `DL-${index + 1}`), remedy: null },
});

test('an entry of several processes names them: nobody else can act on them from a command line', () => {
  expect(formatInbox({ entries: [entry(many(3))] })).toEqual([
    'today (1)',
    '',
    '2031-05-01 02:08 UTC  3 starts failed',
    '  DL-1, DL-2, DL-3',
    '  No locker is free.',
    '  If nobody does anything: Whoever wanted it still waits.',
    '  Start it again.',
  ]);
  expect(formatInbox({ entries: [entry(many(22))] }).join()).toMatch(/DL-19, DL-20 and 2 more/);
});

test('instants in the texts are as readable as the others', () => {
  const lines = formatInbox({ entries: [entry({ why: 'Passed at 2031-05-01T02:08:18.822Z. Not in yet.' })] });
  expect(lines).toContain('  Passed at 2031-05-01 02:08 UTC. Not in yet.');
});

test('an entry names what is typed for it', () => {
  const last = (given: Partial<WorkEntry>) => formatInbox({ entries: [entry(given)] }).at(-1);
  expect([
    last({ kind: 'question', id: 'question:check:order 7', key: 'order 7' }),
    last({ kind: 'decision', key: 'loan-1', reasons: [{ code: 'BookingUnknown', params: {} }] }),
    last({ kind: 'itemOut', key: 'loan-1', shipmentUid: 'uid-1' }),
    last({ kind: 'itemLeft', key: 'loan-1', toDo: 'Then say that the locker is empty.' }),
  ]).toEqual([
    "  By: lockerflow answer 'order 7' --question check",
    '  By: lockerflow retry, adopt or give-up, each with loan-1',
    '  By: lockerflow item settle uid-1',
    '  Then say that the locker is empty.',
  ]);
});
