// A booking whose state was left, and that cannot be undone: what its process says of it until a person has decided.
import { expect, test } from 'vitest';
import type { Actions } from '../../../contract/flows/actions.ts';
import { noReply } from '../../../engine/inbox.ts';
import type { VirtualHost } from '../../../engine/virtual-host.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const loan = (away: string) =>
  fileOf(`
name: Loan
meaning: Lends a device.
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input: { operation: CreateLocalShipmentAsIntake, request: { pupUid: pup-1, allowLargerLockers: true, allowOverflowLockers: false } }
      onDone: over
      onError: over
    on: { away: ${away} }
  elsewhere: { on: { end: over } }
  over: { type: final }
`);

const withoutBooking = fileOf(`
name: Loan
meaning: Lends no more.
initial: elsewhere
states:
  elsewhere: { on: { end: over } }
  over: { type: final }
`);

/** Its shipment cannot be undone. */
function stuckIn(away: string): Player {
  const player = new Player(loan(away));
  const { process } = player;
  player.pass('PT1S');
  process.signal('event', { type: 'away' });
  process.drain();
  const [undoing] = (process.host as VirtualHost).calls;
  undoing?.done({
    shipments: [
      { shipmentUid: 'loan-intake', undone: 'NotUndone', stateCode: null, error: 'ServiceUnavailable' },
    ],
  });
  process.drain();
  return player;
}

const stateOf = ({ progress }: Player) => ({
  phase: progress.phase,
  bookings: progress.bookings.map(({ id, activity }) => [id, activity]),
  decisions: progress.waitingFor.flatMap(({ kind, booking }) => (kind === 'decision' ? [booking] : [])),
});
const stuck = { phase: 'NeedsPerson', bookings: [['loan left', 'NeedsPerson']], decisions: ['loan left'] };

function givenUp({ process }: Player): void {
  const { actions } = process.actions(undefined) as Actions;
  expect(actions.some(({ booking, isPossible }) => booking === 'loan left' && isPossible)).toBe(true);
  process.update('resolve', { action: 'giveUp', by: 'anna', why: 'a test' }, 'given up', noReply);
  process.drain();
}

test('a process says so, also in a version of its file that books nothing', () => {
  const player = stuckIn('elsewhere');
  expect(stateOf(player)).toEqual(stuck);
  player.migrate({ file: withoutBooking, version: 2 });
  expect(stateOf(player)).toEqual(stuck);
  givenUp(player);
  expect(stateOf(player)).toEqual({ phase: 'Open', bookings: [['loan left', 'Ended']], decisions: [] });
});

test('a process whose chart has ended says so, and ends when a person has decided', () => {
  const player = stuckIn('over');
  expect(stateOf(player)).toEqual(stuck);
  expect(player.progress.activity).toBe('NeedsPerson');
  givenUp(player);
  expect(player.status).toBe('done');
  expect(player.progress).toMatchObject({ phase: null, activity: 'Ended' });
});
