// A booking in a flow file says by itself what it waits for.
import { expect, test } from 'vitest';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

test('a booking that waits for a locker says so, and which one if it has asked for one', () => {
  const waitsFor = (request: string) => {
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
      input: { operation: CreateLocalShipmentAsIssue, request: ${request}, waitForLocker: PT1H }
      onDone: over
      onError: over
  over: { type: final }
`),
    );
    return player.progress.waitingFor;
  };
  expect(waitsFor('{}')).toMatchObject([
    { code: 'FreeLocker', words: 'the booking, and a free locker for it' },
  ]);
  expect(waitsFor('{ lockerUid: central-4 }')).toMatchObject([
    {
      code: 'FreeLocker',
      params: { lockerUid: 'central-4' },
      words: 'the booking, once the locker `central-4` is free',
    },
  ]);
});

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
