// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a flow file.
// A chart that halts at what an inline actor tells it: the actor has done its own step to the end, and nothing of it is lost.
import { expect, test } from 'vitest';
import { noReply } from '../../../engine/inbox.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const intake =
  '{ operation: CreateLocalShipmentAsIntake, request: { pupUid: p, allowLargerLockers: true, allowOverflowLockers: false } }';
const failing = '{ actions: { type: assign, params: { seen: "${event.nothing}" } } }';

const play = (file: FlowFile) => {
  const player = new Player(file, { input: {}, at: '2026-01-05T09:00:00Z' });
  player.pass('PT1S');
  return player;
};

/** The step fails, and halts it. */
function halted(player: Player, step: () => void): void {
  expect(step).toThrow('No such key: nothing');
  expect(player.process.halt?.code).toBe('ExpressionFailed');
}

function dropped(player: Player): void {
  player.process.decide('dropEvent', `drop ${player.process.taken}`, noReply);
  player.process.drain();
}

const activities = ({ progress }: Player) => progress.bookings.map(({ id, activity }) => [id, activity]);

const one = (src: string, input: string, on: string) =>
  fileOf(`
name: One
meaning: Waits for what runs within it.
context: { seen: 0 }
initial: back
states:
  back:
    invoke: { id: all, src: ${src}, input: ${input}, onDone: over, onError: over }
    on: ${on}
  over: { type: final }
`);

test('a booking that ends with the event that halts: its end comes once that is dropped', () => {
  const player = play(one('book', intake, `{ all.intake.Completed: ${failing} }`));
  halted(player, () => player.send('all.intake.Completed'));
  dropped(player);
  expect([player.status, activities(player)]).toEqual(['done', [['all', 'Ended']]]);
});

test('an each whose last item halts it ends once the event is dropped', () => {
  const looks = '{ of: [1, 2], atOnce: 1, do: { src: GetShipments, input: { caseReference: x } } }';
  const last = failing.replace('{', '{ guard: "${event.index == 1}",');
  const player = play(one('each', looks, `{ all.done: ${last} }`));
  player.done('all.0', {});
  halted(player, () => player.done('all.1', {}));
  dropped(player);
  expect(player.status).toBe('done');
});

test('the next item of an each begins although the one before it has halted the process', () => {
  const books = `{ of: [1, 2], atOnce: 1, do: { src: book, input: ${intake} } }`;
  const player = play(one('each', books, `{ all.intake.Completed: ${failing} }`));
  halted(player, () => player.send('all.0.intake.Completed'));
  expect(activities(player)).toEqual([
    ['all.0', 'Ended'],
    ['all.1', 'Booking'],
  ]);
  dropped(player);
  player.pass('PT1S');
  halted(player, () => player.send('all.1.intake.Completed'));
  dropped(player);
  expect(player.status).toBe('done');
});

const two = (on: string) =>
  fileOf(`
name: Two
meaning: Books twice.
context: { seen: 0 }
type: parallel
states:
  one: { initial: back, states: { back: { invoke: { id: one, src: book, input: ${intake}, onDone: over, onError: over }, on: ${on} }, over: { type: final } } }
  two: { initial: back, states: { back: { invoke: { id: two, src: book, input: ${intake}, onDone: over, onError: over } }, over: { type: final } } }
`);

test('a report that two bookings accept reaches the second, although the first has halted the process', () => {
  const player = new Player(two(`{ one.intake.ReadyForPickup: ${failing} }`), {
    input: {},
    at: '2026-01-05T09:00:00Z',
  });
  player.fail('two', 'OutcomeUnknown');
  player.pass('PT1S');
  const at = '2026-01-07T00:00:00Z';
  player.process.signal('shipmentStatus', {
    shipmentUid: 'one-intake',
    stateCode: 'ReadyForPickup',
    stateStart: at,
    receivedAt: at,
  });
  player.process.drain();
  expect(player.process.halt?.code).toBe('ExpressionFailed');
  expect(player.progress.bookings.map(({ reportHistory }) => reportHistory.length)).toEqual([1, 1]);
});

test('the end of a booking that waits behind the halt is not taken for that of the next one under its id', () => {
  const again = (seen: string) =>
    `{ again: { target: back, reenter: true, actions: { type: assign, params: { seen: "\${${seen}}" } } } }`;
  const player = play(one('book', intake, again('event.nothing')));
  halted(player, () => player.send('again'));
  player.process.signal('shipmentStatus', {
    shipmentUid: 'all-intake',
    stateCode: 'Completed',
    stateStart: '2026-01-07T00:00:00Z',
  });
  player.process.drain();
  player.migrate({ file: one('book', intake, again('1')), version: 2 });
  expect([player.status, activities(player)]).toEqual([
    'active',
    [
      ['all ended', 'Ended'],
      ['all', 'Booking'],
    ],
  ]);
});

test('deadlines of bookings that have all passed during an outage are taken: they go around nowhere', () => {
  const request = '{ pupUid: p, toUserUid: u, allowLargerLockers: true, allowOverflowLockers: false }';
  const timed = `{ operation: CreateLocalShipmentAsIssue, request: ${request}, deadlines: { issue: { pickUp: P3D } } }`;
  const of = JSON.stringify(Array.from({ length: 60 }, (_, index) => index));
  const list = (id: string) =>
    `{ initial: lent, states: { lent: { invoke: { id: ${id}, src: each, input: { of: ${of}, atOnce: 100, do: { src: book, input: ${timed} } }, onDone: over, onError: over } }, over: { type: final } } }`;
  const player = play(
    fileOf(`
name: Lists
meaning: Books two lists.
type: parallel
states:
  one: ${list('one')}
  two: ${list('two')}
`),
  );
  player.pass('P10D');
  for (const { id } of player.progress.bookings)
    player.process.signal('shipmentStatus', {
      shipmentUid: `${id}-issue`,
      stateCode: 'ReadyForPickup',
      stateStart: '2026-01-07T00:00:00Z',
    });
  player.process.drain();
  player.pass('PT1M');
  expect(player.process.halt).toBeUndefined();
  expect(player.progress.bookings.filter(({ overdue }) => overdue.length > 0)).toHaveLength(120);
});
