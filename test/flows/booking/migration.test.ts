// A booking in a process that goes over to another version of its file: what is said of the deadlines that it keeps.
import { expect, test } from 'vitest';
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

test('deadlines that the new file has as they were need no word, and other input has its own', () => {
  expect(notesOf(before)).toEqual([]);
  expect(notesOf({ ...before, request: '{ priorShipmentUid: item, toUserUid: other }' })).toEqual([
    'loan goes on with the input that it was given before',
  ]);
});
