// A booking in a flow file says by itself what it waits for.
import { expect, test } from 'vitest';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

test('what a booking waits for stands once among the waits of its process', () => {
  const player = new Player(
    fileOf(`
name: Lent
meaning: Is lent.
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input: { operation: CreateLocalShipmentAsIssue, request: {}, deadlines: { issue: { dropOff: PT1H } } }
      onDone: over
      onError: over
    on: { loan.issue.overdue: { actions: { type: log, params: { message: late } } } }
    after: { P9D: over }
  over: { type: final }
`),
  );
  player.pass('PT1M');
  const { waitingFor, events, childEvents } = player.progress;
  expect(waitingFor.map(({ code, booking }) => [code, booking])).toEqual([
    ['Time', undefined],
    ['DropOff', 'loan'],
  ]);
  expect([events, childEvents]).toEqual([[], ['loan.issue.overdue']]);
});
