// What the bookings of one process tell each other of shipments, by the messages that other flows would send.
import { describe, expect, test } from 'vitest';
import { noReply } from '../../../engine/inbox.ts';
import { bookingsIn } from '../../../flows/booking/own-bookings.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const intake =
  '{ operation: CreateLocalShipmentAsIntake, request: { pupUid: pup-1, allowLargerLockers: true, allowOverflowLockers: false } }';
const issueOf = (prior: string) =>
  `{ operation: CreateLocalShipmentAsIssueFromStock, request: { priorShipmentUid: ${prior}, toUserUid: anna } }`;

interface Loans {
  readonly id?: string;
  readonly was?: string;
  readonly first?: string;
  readonly second?: string;
}

/** Two bookings at the same time; the state of the first can be left. */
const loans = ({ id = 'loan', was = '', first = issueOf('one'), second = issueOf('other') }: Loans = {}) =>
  fileOf(`
name: Loans
meaning: Books two.
type: parallel
states:
  one:
    initial: lent
    states:
      lent:
        invoke: { id: ${id}, ${was} src: book, input: ${first}, onDone: over, onError: over }
        on: { away: gone }
      gone: { after: { P30D: over } }
      over: { type: final }
  two:
    initial: lent
    states:
      lent:
        invoke: { id: other, src: book, input: ${second}, onDone: over, onError: over }
      over: { type: final }
`);

function resolved({ process }: Player, fields: object): void {
  const payload = { booking: 'other', by: 'anna', why: 'a test', ...fields };
  expect(process.updateRefusal('resolve', payload)).toBeUndefined();
  process.update('resolve', payload, 'resolved', noReply);
  process.drain();
}

/** It is not known whether the second one was made. */
function inDoubt(file = loans()): Player {
  const player = new Player(file);
  player.fail('other', 'OutcomeUnknown');
  player.pass('PT1S');
  return player;
}

/** The bookings that follow a shipment no more, because another one does. */
const supersededIn = ({ process }: Player) =>
  bookingsIn(process.pending.actors).flatMap(({ id, state }) =>
    state.known.shipments.some(({ isSuperseded }) => isSuperseded) ? [id] : [],
  );

describe('what a booking has told its sibling in doubt does not come back to it', () => {
  test('when it has another id since a migration', () => {
    const player = inDoubt();
    player.migrate({ file: loans({ id: 'lending', was: 'was: loan,' }), version: 2 });
    resolved(player, { action: 'adopt', shipments: { issue: 'other' } });
    expect(player.states).toEqual(['one.lent', 'two.lent']);
    expect(supersededIn(player)).toEqual([]);
  });

  test('when its state was left', () => {
    const player = inDoubt();
    player.process.signal('event', { type: 'away' });
    player.process.drain();
    resolved(player, { action: 'adopt', shipments: { issue: 'other' } });
    expect(player.progress.bookings.map(({ id }) => id)).toEqual(['loan left', 'other']);
    expect(supersededIn(player)).toEqual([]);
  });
});

test('a booking that a person adopts supersedes the sibling that followed its shipment', () => {
  const player = inDoubt(loans({ id: 'stock', first: intake, second: issueOf('stock-intake') }));
  resolved(player, { action: 'adopt', shipments: { issue: 'stock-intake' } });
  expect(supersededIn(player)).toEqual(['stock']);
  expect(player.states).toEqual(['one.over', 'two.lent']);
});

describe('a report that waits for a booking in doubt', () => {
  const report = ({ process }: Player, stateCode: string, stateStart: string): void => {
    process.signal('shipmentStatus', { shipmentUid: 'loan-intake', stateCode, stateStart });
    process.drain();
  };
  const historiesOf = ({ progress }: Player) =>
    progress.bookings.map(({ id, reportHistory }) => [
      id,
      reportHistory.map(({ stateCode, times }) => [stateCode, times]),
    ]);

  test('waits once, and where there are too many the latest of each shipment does', () => {
    const player = inDoubt(loans({ first: intake, second: intake }));
    const waiting = () => historiesOf(player)[1]?.[1];
    report(player, 'ReadyForDropoff', '2026-01-05T10:00:00Z');
    report(player, 'ReadyForDropoff', '2026-01-05T10:00:00Z');
    expect(waiting()).toEqual([['ReadyForDropoff', 1]]);
    for (let minute = 0; minute < 300; minute++)
      report(player, `Code${minute}`, new Date(Date.UTC(2026, 0, 5, 11, minute)).toISOString());
    expect(waiting()).toEqual([['Code299', 1]]);
  });

  test.each([
    ['that gives it up', { action: 'giveUp' }],
    ['that turns out to be another one', { action: 'adopt', shipments: { intake: 'found' } }],
  ])('counts once at the sibling that had it, after the decision of one %s', (_, decision) => {
    const player = inDoubt(loans({ first: intake, second: intake }));
    report(player, 'ReadyForPickup', '2026-01-05T10:00:00Z');
    resolved(player, decision);
    const { reportHistory } = player.progress.bookings.find(({ id }) => id === 'loan') ?? {};
    expect(reportHistory?.map(({ stateCode, times }) => [stateCode, times])).toEqual([['ReadyForPickup', 1]]);
  });
});
