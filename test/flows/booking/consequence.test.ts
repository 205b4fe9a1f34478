// What follows from a command to a process that has bookings beside questions, timers and flows: the command is previewed, and
// then done.
import { describe, expect, test } from 'vitest';
import type {
  ActionRequest,
  Actions,
  ActionValidation,
  CommandName,
  Consequence,
} from '../../../contract/flows/actions.ts';
import { noReply } from '../../../engine/inbox.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const request = '{ pupUid: pup-1, allowLargerLockers: true, allowOverflowLockers: false }';
const intake = (id: string, days: number) =>
  `{ id: ${id}, src: book, input: { operation: CreateLocalShipmentAsIntake, request: ${request}, deadlines: { intake: { dropOff: P${days}D } } }, onDone: over, onError: asking }`;

/** Takes two devices back, and asks what becomes of them if it cannot. */
const text = `
name: Recall
meaning: Takes two devices back.
initial: recalling
states:
  recalling:
    invoke:
      - ${intake('laptop', 3)}
      - ${intake('charger', 5)}
      - { id: check, src: ask, input: { of: desk, question: Are they there? }, onDone: over, onError: over }
    after: { P30D: over }
    on:
      fails: { guard: "\${event.data.x == 1}", target: over }
  asking:
    invoke: { id: lost, src: ask, input: { of: boss, question: Are they lost? }, onDone: over }
    after: { P7D: over }
  over: { type: final }
`;
const recall = fileOf(text);
/** Does not take the failure of its question. */
const deaf = fileOf(
  text.replace('Are they there? }, onDone: over, onError: over', 'Are they there? }, onDone: over'),
);

/** The item of the charger is in its locker. */
function recalling(file = recall): Player {
  const player = new Player(file);
  player.pass('PT1S');
  player.send('charger.intake.ReadyForPickup');
  return player;
}

const previewed = ({ process }: Player, command: CommandName) =>
  (process.actions(undefined) as Actions).actions.find((each) => each.command === command)
    ?.consequence as Consequence;
const validated = ({ process }: Player, asked: ActionRequest) =>
  (process.actions(asked) as ActionValidation).consequence as Consequence;
const bookingsOf = ({ progress }: Player) =>
  progress.bookings.map(({ id, outcome, itemsLeft }) => [id, outcome, itemsLeft]);

const effects = [
  { booking: 'laptop', shipmentUid: 'laptop-intake', role: 'intake', effect: 'Cancelled' },
  { booking: 'charger', shipmentUid: 'charger-intake', role: 'intake', effect: 'Cancelled' },
];
const left = { role: 'intake', shipmentUid: 'charger-intake', pupUid: 'pup-1', lockerName: 'charger-locker' };

describe('two bookings, a question and a timer', () => {
  test('are all in what a cancellation leads to', () => {
    const player = recalling();
    expect(previewed(player, 'cancel')).toMatchObject({
      after: { activity: 'Ended', phase: null, ends: { status: 'Canceled' } },
      shipments: effects,
      itemsLeft: [left],
      itemsOut: [{ booking: 'laptop', role: 'intake', shipmentUid: 'laptop-intake' }],
      deadlines: [
        { booking: 'laptop', role: 'intake', stage: 'dropOff', until: null },
        { role: null, timer: expect.stringContaining('P30D'), until: null },
      ],
    });
    player.cancel();
    expect(player.status).toBe('cancelled');
    expect(bookingsOf(player)).toEqual([
      ['laptop left', 'Cancelled', []],
      ['charger left', 'Cancelled', [left]],
    ]);
  });

  test('are undone before a process ends whose cancelled question fails', () => {
    const player = recalling(deaf);
    expect(previewed(player, 'cancel')).toMatchObject({
      after: { activity: 'Ended', phase: null, ends: { status: 'Failed' } },
      shipments: effects,
    });
    player.cancel();
    expect(player.status).toBe('failed');
    expect(bookingsOf(player)).toEqual([
      ['laptop', 'Cancelled', []],
      ['charger', 'Cancelled', [left]],
    ]);
  });

  test('are all in what giving up a halted process leads to', () => {
    const player = recalling();
    expect(() => player.send('fails', {})).toThrow();
    expect(previewed(player, 'giveUp')).toMatchObject({
      after: { activity: 'Ended', phase: null, ends: { status: 'Failed', code: 'ExpressionFailed' } },
      shipments: effects,
      itemsLeft: [left],
    });
    player.process.decide('giveUp', 'test', noReply);
    // It stays halted.
    expect(() => player.pass('PT11S')).toThrow('ExpressionFailed');
    expect(player.status).toBe('failed');
    expect(bookingsOf(player)).toEqual([
      ['laptop', 'Cancelled', []],
      ['charger', 'Cancelled', [left]],
    ]);
  });

  test('are left by an answer, which undoes both bookings', () => {
    const player = recalling();
    const fields = { by: 'anna', values: {} };
    expect(validated(player, { command: 'answer', fields })).toMatchObject({
      after: { state: 'over', ends: { status: 'Completed' } },
      shipments: effects,
      itemsLeft: [left],
      event: 'xstate.done.actor.check',
    });
    player.answer('check', {});
    player.pass('PT11S');
    expect(bookingsOf(player)).toEqual([
      ['laptop left', 'Cancelled', []],
      ['charger left', 'Cancelled', [left]],
    ]);
  });

  test('stay as they are where a deadline of one is extended', () => {
    const fields = { booking: 'laptop', role: 'intake', stage: 'dropOff', fromNow: 'P9D' };
    expect(validated(recalling(), { command: 'extendDeadline', fields })).toMatchObject({
      after: { activity: 'Running', phase: 'Open', state: 'recalling', ends: null },
      shipments: [],
      itemsLeft: [],
      itemsOut: [],
      deadlines: [{ booking: 'laptop', role: 'intake', until: '2026-01-14T09:00:01.000Z' }],
      questions: [],
      calls: [],
    });
  });
});

describe('a booking in doubt that is given up', () => {
  const inDoubt = () => {
    const player = new Player(recall);
    player.fail('laptop', 'OutcomeUnknown');
    player.pass('PT1S');
    return player;
  };
  const fields = { booking: 'laptop', by: 'anna', why: 'nothing is there' };

  test('leads to the question and the timer of its file, and undoes the other booking', () => {
    const player = inDoubt();
    expect(validated(player, { command: 'resolve.giveUp', fields })).toMatchObject({
      after: { activity: 'Running', phase: 'Open', state: 'asking', ends: null },
      shipments: [effects[1]],
      deadlines: [
        { booking: 'charger', stage: 'dropOff', until: null },
        { timer: expect.stringContaining('P30D'), until: null },
        { timer: expect.stringContaining('P7D'), from: null },
      ],
      questions: [{ id: 'lost', of: 'boss' }],
      booking: 'MayStayBooked',
    });
    player.process.update('resolve', { ...fields, action: 'giveUp' }, 'test', noReply);
    player.pass('PT11S');
    expect(player.progress.questions).toMatchObject([{ id: 'lost' }]);
    expect(bookingsOf(player)).toContainEqual(['charger left', 'Cancelled', []]);
  });

  test('is what the process needs a person for until then', () => {
    const { after, booking } = validated(inDoubt(), {
      command: 'extendDeadline',
      fields: { booking: 'charger', role: 'intake', stage: 'dropOff', fromNow: 'P9D' },
    });
    expect(after).toMatchObject({ activity: 'Running', phase: 'NeedsPerson' });
    expect(booking).toBeUndefined();
  });
});

test('what is undone already is no consequence of a command', () => {
  const again = fileOf(`
name: Again
meaning: Takes devices back again and again.
initial: back
states:
  back:
    invoke: { id: loan, src: book, input: { operation: CreateLocalShipmentAsIntake, request: ${request} }, onDone: over, onError: over }
    on: { another: { target: back, reenter: true } }
  over: { type: final }
`);
  const player = new Player(again);
  player.pass('PT1S');
  const asked = { command: 'event', fields: { type: 'another' } } as const;
  expect(validated(player, asked).shipments).toMatchObject([{ booking: 'loan', effect: 'Cancelled' }]);
  player.process.signal('event', { type: 'another' });
  player.process.drain();
  expect(player.progress.bookings.map(({ id, activity }) => [id, activity])).toEqual([
    ['loan left', 'Undoing'],
    ['loan', 'Booking'],
  ]);
  expect(validated(player, asked)).toMatchObject({
    shipments: [],
    calls: ['book'],
    booking: 'UndoneOnceKnown',
  });
});
