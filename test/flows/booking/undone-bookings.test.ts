// Which bookings of a flow file are steps that can be undone.
import { expect, test } from 'vitest';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const bag = fileOf(`
name: Bag
meaning: Gives a bag out.
initial: waiting
states:
  waiting:
    invoke:
      id: bag
      src: book
      input:
        operation: CreateLocalShipmentAsIssue
        request: { pupUid: p, toUserUid: u, allowLargerLockers: true, allowOverflowLockers: false }
        deadlines: { issue: { dropOff: P1D, pickUp: P1D } }
        onOverdue: cancel
      undo: { src: ask, input: { of: desk, question: Get the bag back } }
      onDone: later
      onError: later
  later: { on: { go: over } }
  over: { type: final }
`);

/** Undone by itself, a day later. */
function overdue({ process }: Player): void {
  const { calls } = process.host as unknown as {
    readonly calls: readonly { readonly input: never; done(output: unknown): void }[];
  };
  for (const { input, done } of [...calls]) {
    const { shipments = [] } = input as { readonly shipments?: readonly { readonly shipmentUid: string }[] };
    done({
      shipments: shipments.map(({ shipmentUid }) => ({
        shipmentUid,
        undone: 'Cancelled',
        stateCode: null,
        error: null,
      })),
    });
    process.drain();
  }
}

const begun = () => {
  const player = new Player(bag, { input: {}, at: '2026-01-05T09:00:00Z' });
  player.pass('PT1S');
  return player;
};

test('one that is done is one of them', () => {
  const player = begun();
  for (const state of ['ReadyForPickup', 'Completed']) player.send(`bag.issue.${state}`);
  expect(player.progress).toMatchObject({ state: 'later', undoable: ['bag'] });
});

test('one that a passed deadline has cancelled has left nothing to undo', () => {
  const player = begun();
  player.pass('P2D');
  overdue(player);
  expect(player.progress).toMatchObject({ state: 'later', bookings: [{ outcome: 'Overdue' }] });
  expect(player.progress.undoable).toBeUndefined();
});
