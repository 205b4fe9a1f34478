// One round after another: of what people are notified, when again, and when it is all clear.
import { expect, test } from 'vitest';
import type { NotifierState } from '../../../contract/flows/notifications.ts';
import { entryKinds, type InboxView } from '../../../processes/inbox/inbox-entry.ts';
import { quietHoursIn } from '../../../processes/notifications/quiet-hours.ts';
import { nextRound, type RoundSettings } from '../../../processes/notifications/round.ts';
import { door, inboxEntry, viewOf } from '../inbox/inbox-entries.ts';

const settings: RoundSettings = {
  kinds: new Set(entryKinds),
  quietHours: quietHoursIn('22:00-07:00 Europe/Amsterdam'),
  quietPriority: 80,
  againAfterMs: 2 * 3_600_000,
};

/** A day of rounds. What is kept goes through JSON, as it does where a worker restarts. */
function notifier(own: Partial<RoundSettings> = {}) {
  let state: NotifierState | null = null;
  /** @param clock of 28 November by UTC, or a whole instant */
  return (clock: string, view: InboxView) => {
    const now = Date.parse(clock.includes('T') ? clock : `2026-11-28T${clock}:00Z`);
    const round = nextRound(state, view, { ...settings, ...own }, now);
    state = JSON.parse(JSON.stringify(round.state));
    return [
      ...round.added.map(({ id }) => `new ${id}`),
      ...round.stillOpen.map(({ id }) => `still ${id}`),
      ...(round.isAllClear ? ['all clear'] : []),
      ...(round.others > 0 ? [`${round.others} others`] : []),
    ];
  };
}

const question = inboxEntry('question');

test('people are notified once of each entry, also if a worker restarts in between', () => {
  const at = notifier();
  expect(at('09:00', viewOf([door('door'), question]))).toEqual(['new door', 'new question']);
  expect(at('09:01', viewOf([door('door'), question]))).toEqual(['2 others']);
  expect(at('09:02', viewOf([door('door'), question, inboxEntry('second')]))).toEqual([
    'new second',
    '2 others',
  ]);
});

test('each entry of a group counts: one more of the same cause is new', () => {
  const at = notifier();
  const cause = { id: 'late', title: (count: number) => `${count} late` };
  const late = (id: string) => inboxEntry(id, { kind: 'late', cause });
  expect(at('09:00', viewOf(['a', 'b', 'c'].map(late)))).toHaveLength(3);
  expect(at('09:01', viewOf(['a', 'b', 'c', 'd'].map(late)))).toEqual(['new d', '3 others']);
});

test('what becomes urgent is new once more', () => {
  const at = notifier();
  const due = inboxEntry('due', { due: '2026-11-28T10:00:00Z' });
  expect(at('09:00', viewOf([due]))).toEqual(['new due']);
  expect(at('09:59', viewOf([due]))).toEqual(['1 others']);
  expect(at('10:01', viewOf([due]))).toEqual(['new due']);
  expect(at('10:02', viewOf([due]))).toEqual(['1 others']);
});

test('while something urgent is open, people are notified again after the time that is set', () => {
  const at = notifier();
  const view = viewOf([door('door'), question]);
  expect(at('09:00', view)).toEqual(['new door', 'new question']);
  expect(at('10:59', view)).toEqual(['2 others']);
  expect(at('11:00', view)).toEqual(['still door', '1 others']);
  expect(at('11:01', view)).toEqual(['2 others']);
  expect(at('13:00', view)).toEqual(['still door', '1 others']);
});

test('with never, nobody is notified again', () => {
  const at = notifier({ againAfterMs: null });
  expect(at('08:00', viewOf([door('door')]))).toEqual(['new door']);
  expect(at('20:00', viewOf([door('door')]))).toEqual(['1 others']);
});

test('in quiet hours people are notified of what is urgent alone; the rest follows in the morning', () => {
  const at = notifier();
  const view = viewOf([door('door'), question]);
  expect(at('2026-11-28T21:00:00Z', view)).toEqual(['new door', '1 others']);
  expect(at('2026-11-29T05:59:00Z', view)).toEqual(['still door', '1 others']);
  expect(at('2026-11-29T06:00:00Z', view)).toEqual(['new question', '1 others']);
});

test('what becomes urgent in quiet hours without being loud is new in the morning', () => {
  const at = notifier();
  const due = inboxEntry('due', { due: '2026-11-29T00:00:00Z' });
  expect(at('2026-11-28T20:00:00Z', viewOf([due]))).toEqual(['new due']);
  expect(at('2026-11-29T01:00:00Z', viewOf([due]))).toEqual(['1 others']);
  expect(at('2026-11-29T06:00:00Z', viewOf([due]))).toEqual(['new due']);
});

test('summer time moves the morning', () => {
  const at = notifier();
  expect(at('2026-03-29T04:59:00Z', viewOf([question]))).toEqual(['1 others']);
  expect(at('2026-03-29T05:00:00Z', viewOf([question]))).toEqual(['new question']);
});

test('the all-clear comes once everything is gone for good', () => {
  const at = notifier();
  expect(at('09:00', viewOf([door('door'), question]))).toHaveLength(2);
  expect(at('09:10', viewOf([question]))).toEqual(['1 others']);
  expect(at('09:20', viewOf([]))).toEqual([]);
  expect(at('09:24', viewOf([]))).toEqual([]);
  expect(at('09:25', viewOf([]))).toEqual(['all clear']);
  expect(at('09:26', viewOf([]))).toEqual([]);
});

test('where nobody was notified, there is no all-clear', () => {
  const at = notifier();
  expect(at('09:00', viewOf([]))).toEqual([]);
  expect(at('2026-11-28T23:00:00Z', viewOf([question]))).toEqual(['1 others']);
  expect(at('2026-11-28T23:01:00Z', viewOf([]))).toEqual([]);
  expect(at('2026-11-29T09:00:00Z', viewOf([]))).toEqual([]);
});

test('what comes back within minutes is not new', () => {
  const at = notifier();
  expect(at('09:00', viewOf([door('door')]))).toEqual(['new door']);
  expect(at('09:01', viewOf([]))).toEqual([]);
  expect(at('09:04', viewOf([door('door')]))).toEqual(['1 others']);
  expect(at('09:08', viewOf([]))).toEqual([]);
  expect(at('09:13', viewOf([]))).toEqual(['all clear']);
  expect(at('09:30', viewOf([door('door')]))).toEqual(['new door']);
});

test('what cannot be read is not taken for gone', () => {
  const at = notifier();
  expect(at('09:00', viewOf([door('door')]))).toEqual(['new door']);
  expect(at('09:30', viewOf([], 'door'))).toEqual([]);
  expect(at('09:50', viewOf([], 'door'))).toEqual([]);
  expect(at('10:00', viewOf([door('door')]))).toEqual(['1 others']);
  expect(at('10:10', viewOf([], 'door'))).toEqual([]);
  expect(at('10:11', viewOf([]))).toEqual([]);
  expect(at('10:15', viewOf([]))).toEqual(['all clear']);
});

test('the all-clear of the day waits for the morning, that of an alarm at night does not', () => {
  const byDay = notifier();
  expect(byDay('20:00', viewOf([question]))).toEqual(['new question']);
  expect(byDay('21:30', viewOf([]))).toEqual([]);
  expect(byDay('22:00', viewOf([]))).toEqual([]);
  expect(byDay('2026-11-29T06:00:00Z', viewOf([]))).toEqual(['all clear']);
  const atNight = notifier();
  expect(atNight('23:00', viewOf([door('door')]))).toEqual(['new door']);
  expect(atNight('23:10', viewOf([]))).toEqual([]);
  expect(atNight('23:15', viewOf([]))).toEqual(['all clear']);
});

test('people are notified of the kinds that are set, and the others are not open for them', () => {
  const at = notifier({ kinds: new Set(['door']) });
  expect(at('09:00', viewOf([door('door'), question]))).toEqual(['new door']);
});

test('what is kept has neither ids nor keys, and stays far below what Temporal takes', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => inboxEntry(`order-${index}-${'x'.repeat(700)}`));
  const { state } = nextRound(null, viewOf(many), settings, Date.parse('2026-11-28T09:00:00Z'));
  const kept = JSON.stringify(state);
  expect(kept).not.toContain('order-');
  expect(kept.length).toBeLessThan(500_000);
});
