// The timers of `after`: their names, how they are moved, and what the file hears of that.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { expect, test } from 'vitest';
import type { Actions } from '../../../contract/flows/actions.ts';
import { noReply } from '../../../engine/inbox.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { Player } from '../../../flows/simulation/player.ts';
import type { Story } from '../../../flows/simulation/story-file.ts';
import { fileOf, findingsIn } from './names.ts';

const loan = fileOf(`
name: Loan
meaning: A device is lent, and its borrower is reminded.
context: { due: null }
initial: lent
states:
  lent:
    entry: { type: assign, params: { due: "\${later(now, 'P14D')}" } }
    after:
      P12D: { name: reminder, actions: { type: emit, params: { type: loan.dueSoon, data: "\${context.due}" } } }
      P14D: overdue
      "\${context.due}": { actions: { type: emit, params: { type: loan.due } } }
    on:
      timerMoved:
        guard: "\${event.timer == 'P14D'}"
        actions: { type: assign, params: { due: "\${event.until}" } }
  overdue: {}
`);

const begun = () => new Player(loan, { at: '2026-01-05T09:00:00Z' });
const storyOf = (text: string) => play(loan, parsedText(text).data as unknown as Story).problems;

test('a timer is known by its name, or by its delay as it is written', () => {
  const { process, progress } = begun();
  const timed = progress.waitingFor.filter(({ kind }) => kind === 'time');
  expect(timed.map(({ id, words }) => [id, words])).toEqual([
    ['reminder', 'reminder, until 2026-01-17 09:00 UTC'],
    ['P14D', 'P14D, until 2026-01-19 09:00 UTC'],
    ['lent.after', 'wait in lent, until 2026-01-19 09:00 UTC'],
  ]);
  const { actions } = process.actions(undefined) as Actions;
  const { fields } = actions.find(({ command }) => command === 'extendDeadline') ?? {};
  expect(fields?.properties.timer?.enum).toEqual(timed.map(({ id }) => id));
  const refusalOf = (timer: string) =>
    process.updateRefusal('extendDeadline', { timer, extendBy: 'P1D' })?.message;
  for (const timer of [
    'reminder',
    'P12D',
    'P14D',
    'lent.P14D',
    'lent.after',
    'lent.after.3',
    '${context.due}',
  ])
    expect(refusalOf(timer), timer).toBeUndefined();
  expect(refusalOf('P40D')).toBe('timer is "P40D", expected reminder, P14D, lent.after');
});

test('a delay may have an expression in it, in a timer, a question and a deadline', () => {
  const file = fileOf(`
name: Loan
meaning: A device is lent for so many days.
input: { type: object, required: [days], properties: { days: { type: integer } } }
type: parallel
states:
  lent: { initial: waiting, states: { waiting: { after: { "P\${input.days}D": over } }, over: { type: final } } }
  asked:
    initial: asking
    states:
      asking: { invoke: { id: ok, src: ask, input: { of: desk, question: Well?, within: "P\${input.days + 1}D" }, onDone: over, onError: over } }
      over: { type: final }
  booked:
    initial: booking
    states:
      booking:
        on: { longer: { actions: { type: extend, params: { booking: book, role: issue, stage: dropOff, fromNow: "P\${event.data}D" } } } }
        invoke: { id: book, src: book, input: { operation: CreateLocalShipmentAsIssue, request: { pupUid: p, toUserUid: u, allowLargerLockers: true, allowOverflowLockers: false }, deadlines: { issue: { dropOff: P1D } } }, onDone: over, onError: over }
      over: { type: final }
`);
  const player = new Player(file, { at: '2026-01-05T09:00:00Z', input: { days: 3 } });
  player.pass('PT1S');
  player.send('longer', 5);
  const { waitingFor, bookings } = player.progress;
  const untilOf = (kind: string) => waitingFor.find((each) => each.kind === kind)?.until;
  expect(untilOf('time')).toBe('2026-01-08T09:00:00.000Z');
  expect(untilOf('answer')).toBe('2026-01-09T09:00:00.000Z');
  expect(bookings[0]?.deadlines).toMatchObject([{ until: '2026-01-10T09:00:01.000Z' }]);
});

test('a delay that several timers have is none of them', () => {
  const twice = fileOf(`
name: Loan
meaning: Two things wait.
type: parallel
states:
  one: { initial: a, states: { a: { after: { P2D: b } }, b: {} } }
  other: { initial: a, states: { a: { after: { P2D: { target: b, name: second } } }, b: {} } }
`);
  const { process } = new Player(twice);
  const refusalOf = (timer: string) =>
    process.updateRefusal('extendDeadline', { timer, extendBy: 'P1D' })?.message;
  expect(refusalOf('second')).toBeUndefined();
  expect(refusalOf('P2D')).toBe('timer is "P2D", which several have, expected one of one.a.P2D, second');
});

test('the file hears of a timer that somebody has moved, and of its new end', () => {
  expect(
    storyOf(`
story: It is lent longer.
given: { at: 2026-01-05T09:00:00Z }
steps:
  - when: { extend: P14D, extendBy: P7D }
    then: { state: lent, context: { due: 2026-01-26T09:00:00Z } }
  - when: { extend: reminder, until: 2026-01-24T09:00:00Z }
    then: { context: { due: 2026-01-26T09:00:00Z } }
  - when: { passes: P14D }
    then: { state: lent, emitted: [{ type: loan.due, data: null }] }
  - when: { passes: P5D }
    then: { state: lent, emitted: [{ type: loan.dueSoon, data: 2026-01-26T09:00:00Z }] }
  - when: { passes: P2D }
    then: { state: overdue }
  - when: { extend: P14D, extendBy: P7D }
    then: { refused: NotPossibleNow }
`),
  ).toEqual([]);
});

test('nobody else can say that a timer was moved, and what takes every event does not hear of it', () => {
  const player = begun();
  expect(player.process.signal('event', { type: 'timerMoved', timer: 'P14D', until: 'never' })).toBe(false);
  const all = fileOf(`
name: Loan
meaning: Counts all events.
context: { count: 0 }
initial: lent
states:
  lent:
    after: { P2D: over }
    on: { "*": { actions: { type: assign, params: { count: "\${context.count + 1}" } } } }
  over: { type: final }
`);
  const counting = new Player(all);
  counting.process.update('extendDeadline', { timer: 'P2D', extendBy: 'P1D' }, 'test', noReply);
  counting.process.drain();
  expect(counting.context).toEqual({ count: 0 });
});

test('a name is that of one delay of its state', () => {
  const findings = findingsIn(`
name: Loan
meaning: Waits.
initial: lent
states:
  lent:
    after: { P2D: { name: one, target: over }, P3D: { name: one, target: over } }
    on: { ended: { name: two, target: over } }
  over: { type: final }
`);
  expect(findings).toEqual(['FieldUnknown states.lent.on.ended.name', 'IdTaken states.lent.after.P3D.name']);
});
