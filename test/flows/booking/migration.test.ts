// A booking in a process that goes over to another version of its file: the terms that it has then, what its file hears
// of it, and what is said of the deadlines that it keeps.
import { describe, expect, test } from 'vitest';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

interface Deadlines {
  readonly deadlines: string;
  readonly request?: string;
}

const loan = ({ deadlines, request = '{ priorShipmentUid: item, toUserUid: user }' }: Deadlines) =>
  fileOf(`
name: Loan
meaning: Lends a device, and takes it back.
context: { days: P3D }
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input:
        operation: CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock
        request: ${request}
        deadlines: ${deadlines}
      onDone: over
      onError: over
  over: { type: final }
`);

const before = { deadlines: '{ issue: { pickUp: P3D }, intake: { dropOff: P14D } }' };
const after = { deadlines: '{ issue: { pickUp: P2D }, intake: { dropOff: P7D } }' };

/** What a migration says, after what has happened to the process. */
function notesOf(now: Deadlines, events: readonly string[] = [], was: Deadlines = before) {
  const player = new Player(loan(was), { input: {}, at: '2026-01-05T09:00:00Z' });
  player.pass('PT1S');
  for (const event of events) player.send(event);
  const to = { file: loan(now), version: 2, publishedAt: '2026-01-05T09:00:00.000Z' };
  const { kind, notes } = player.process.migrations.result({ semantics: 1, to, by: 'anna', why: 'a test' });
  expect(kind).toBe('carried');
  return notes;
}

test('each deadline to come that the new file has otherwise stays, and the result says so', () => {
  expect(notesOf(after)).toEqual([
    'loan: the deadlines issue.pickUp, intake.dropOff stay as they were, and the new file has others; extend or shorten moves them',
  ]);
  expect(notesOf(after, ['loan.issue.ReadyForPickup', 'loan.issue.Completed'])).toEqual([
    'loan: the deadline intake.dropOff stays as it was, and the new file has another; extend or shorten moves it',
  ]);
  expect(notesOf({ deadlines: '{ issue: { pickUp: P3D } }' })).toEqual([
    'loan: the deadline intake.dropOff stays as it was, and the new file has another; extend or shorten moves it',
  ]);
});

test('back in the version with which it was made, a booking has the deadlines of the file', () => {
  const player = new Player(loan(before), { input: {}, at: '2026-01-05T09:00:00Z' });
  player.pass('PT1S');
  player.migrate({ file: loan(after), version: 2 });
  const to = { file: loan(before), version: 3, publishedAt: '2026-01-05T09:00:00.000Z' };
  const { notes } = player.process.migrations.result({ semantics: 1, to, by: 'anna', why: 'a test' });
  expect(notes).toEqual([]);
});

test('deadlines that the new file has as they were need no word, and other input has its own', () => {
  expect(notesOf(before)).toEqual([]);
  expect(notesOf({ ...before, request: '{ priorShipmentUid: item, toUserUid: other }' })).toEqual([
    'loan goes on with the input that it was given before',
  ]);
});

interface Recall {
  readonly id?: string;
  readonly was?: string;
  /** Fields of the input of the booking. */
  readonly more?: string;
  readonly on?: string;
}

/** A booking, or one for each item of a list. */
const recall = (kind: 'booking' | 'list', { id = 'all', was = '', more = '', on = '{}' }: Recall = {}) => {
  const request = '{ pupUid: pup-1, allowLargerLockers: true, allowOverflowLockers: false }';
  const book = `src: book, input: { operation: CreateLocalShipmentAsIntake, request: ${request}${more} }`;
  const work = kind === 'booking' ? book : `src: each, input: { of: [1], do: { ${book} } }`;
  return fileOf(`
name: Recall
meaning: Takes devices back.
context: { heard: [] }
initial: back
states:
  back:
    invoke: { id: ${id}, ${was} ${work}, onDone: over, onError: over }
    on: ${on}
  over: { type: final }
`);
};

const heard = (id: string, ...events: readonly string[]) =>
  `{ ${events.map((event) => `${id}.${event}: { actions: { type: assign, params: { heard: "\${context.heard + [event.type]}" } } }`).join(', ')} }`;

describe.each(['booking', 'list'] as const)('what the new file has otherwise (%s)', (kind) => {
  const booking = kind === 'booking' ? '' : '.0';

  test('is what it hears, under the new name', () => {
    const player = new Player(recall(kind));
    player.pass('PT1S');
    const on = heard('lent', 'intake.ReadyForPickup', 'intake.Completed');
    player.migrate({ file: recall(kind, { id: 'lent', was: 'was: all,', on }), version: 2 });
    const own = kind === 'booking' ? 'lent' : 'all.0';
    player.send(`${own}.intake.ReadyForPickup`);
    expect(player.context.heard).toEqual(['lent.intake.ReadyForPickup']);
  });

  test('are the terms by which it goes on, however often it is renamed', () => {
    const more = ', legs: { intake: { done: [ReadyForPickup, Completed] } }';
    const player = new Player(recall(kind));
    player.pass('PT1S');
    player.migrate({ file: recall(kind, { id: 'every', was: 'was: all,' }), version: 2 });
    player.migrate({ file: recall(kind, { id: 'each', was: 'was: every,', more }), version: 3 });
    player.send(`${kind === 'booking' ? 'each' : 'all.0'}.intake.ReadyForPickup`);
    expect(player.status).toBe('done');
  });

  test('must be meant where a leg is over by it, and says which deadlines stay', () => {
    const player = new Player(recall(kind, { more: ', deadlines: { intake: { dropOff: P3D } }' }));
    player.pass('PT1S');
    const result = (more: string) => {
      const file = recall(kind, { id: 'every', was: 'was: all,', more });
      const to = { file, version: 2, publishedAt: '' };
      return player.process.migrations.result({ semantics: 1, to, by: 'anna', why: 'a test' });
    };
    const { notes } = result(', deadlines: { intake: { dropOff: P5D } }');
    expect(notes).toContainEqual(expect.stringContaining('the deadline intake.dropOff stays as it was'));
    player.send(`all${booking}.intake.ReadyForPickup`);
    const { obstacles } = result(', legs: { intake: { done: [ReadyForPickup, Completed] } }');
    expect(obstacles).toMatchObject([{ code: 'FinalChanged', at: `all${booking}.intake.ReadyForPickup` }]);
  });
});
