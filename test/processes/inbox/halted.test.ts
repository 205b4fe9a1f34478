// A process that has halted, as Work shows it: since when.
import { expect, test } from 'vitest';
import type { FlowFileProgress } from '../../../flows/language/machine/progress.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { entryOf } from '../../../processes/inbox/decisions.ts';
import type { FoundFlow } from '../../../processes/views/found-flows.ts';
import { rowStateOf } from '../../../processes/views/row-state.ts';
import { fileOf } from '../../flows/language/names.ts';

const startedAt = '2026-01-05T09:00:00.000Z';

/** It has halted four hours after its start, and three hours after the item was put in. */
function halted(): Player {
  const file = fileOf(`
name: Held
meaning: Holds a book, and counts.
context: { n: 0 }
initial: held
on: { count: { actions: { type: assign, params: { n: "\${context.n + event.data.n}" } } } }
states:
  held:
    after: { P2D: { actions: { type: emit, params: { type: chased } } } }
    invoke:
      id: hold
      src: book
      input:
        operation: CreateLocalShipmentAsIssue
        request: { pupUid: station, toUserUid: anna, allowLargerLockers: true, allowOverflowLockers: true }
        deadlines: { issue: { pickUp: P3D } }
      onDone: over
      onError: over
  over: { type: final }
`);
  const player = new Player(file, { at: startedAt });
  player.pass('PT1H');
  player.send('hold.issue.ReadyForPickup');
  player.pass('PT3H');
  expect(() => player.send('count', {})).toThrow('No such key: n');
  return player;
}

const found = { workflowId: 'held-1', flow: 'Held', startedAt, pickUpPoint: null } as FoundFlow;
const entryIn = (progress: FlowFileProgress) =>
  entryOf(found, { progress, actions: [{} as never], clockAheadMs: 7 })[0];

test('it waits for a decision since it has halted, not since its start', () => {
  const { progress } = halted();
  const since = '2026-01-05T13:00:00.000Z';
  expect(progress.halted).toMatchObject({ since });
  expect(progress.waitingFor[0]).toMatchObject({ code: 'Halted', since });
  expect(rowStateOf(progress).next).toMatchObject({ code: null, since });
  expect(entryIn(progress)).toMatchObject({ since, clockAheadMs: 7 });
});
