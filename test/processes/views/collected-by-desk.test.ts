// Who collects: the person whom the request names, or else the desk. Work, lists and the page say so alike.
import { expect, test } from 'vitest';
import { overviewOf } from '../../../console/process/overview/overview.ts';
import { personMeant } from '../../../console/process/overview/subject.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { entryOf } from '../../../processes/inbox/late.ts';
import type { FoundFlow } from '../../../processes/views/found-flows.ts';
import { rowStateOf } from '../../../processes/views/row-state.ts';
import { fileOf } from '../../flows/language/names.ts';

/** Nobody has collected it, and that is late. */
function late(operation: string, more = '') {
  const player = new Player(
    fileOf(`
name: Collected
meaning: Somebody collects it.
initial: waiting
states:
  waiting:
    invoke:
      id: collection
      src: book
      input:
        operation: ${operation}
        request: { pupUid: pup-1, lockerUid: "4", dimension: { width: 1, height: 1, length: 1 }, allowLargerLockers: true, allowOverflowLockers: false, keepBookedAfterPickUp: false${more} }
        deadlines: { collect: { pickUp: P1D } }
      onDone: over
      onError: over
  over: { type: final }
`),
  );
  player.pass('PT1M');
  player.pass('P2D');
  const { progress } = player;
  const process = { flow: 'Collected', status: 'Running', failure: null, trying: [] } as const;
  const { next, todo, todoCode, desk } = overviewOf({
    ...{
      process: { ...process, trying: [] },
      progress,
      actionForms: [],
      chart: null,
      timers: [],
      parent: null,
    },
  });
  const flow = { workflowId: 'c-1', flow: 'Collected', pickUpPoint: null } as FoundFlow;
  const answer = { format: 1, flow: 'Collected', isOpen: true, progress, clockAheadMs: 0 } as const;
  const [entry] = entryOf(flow, { ...answer, actions: [] });
  const { words, step } = rowStateOf(progress).next ?? {};
  return { next: next[0]?.words, todo, todoCode, desk, title: entry?.title, toDo: entry?.toDo, words, step };
}

test.each(['CreateCollectOnlyShipmentAsCollectByDispatcher', 'CreateCollectOnlyShipment'])(
  'what the desk collects, the desk takes out: %s',
  (operation) => {
    const toDo = 'Take the item out of locker 4; or extend the deadline, or cancel.';
    expect(late(operation)).toEqual({
      next: 'The desk takes the item out of the locker.',
      todo: toDo,
      todoCode: null,
      desk: ['take the item out of locker 4'],
      title: 'The desk takes it out: late',
      toDo,
      words: 'The desk takes it out',
      step: 'deskTakesOut',
    });
  },
);

test.each(['CreateCollectOnlyShipmentAsCollectByUser', 'CreateCollectOnlyShipment'])(
  'what a person collects, that person takes out: %s',
  (operation) => {
    expect(late(operation, ', toUserUid: user-anna')).toMatchObject({
      next: 'The receiver takes the item out of the locker.',
      todoCode: 'PickUpIsLate',
      desk: [],
      toDo: 'Ask the person what keeps them; then extend the deadline, or cancel.',
      words: 'Pick up',
      step: 'pickUp',
    });
  },
);

test('what the desk collects is for nobody, although the service has the desk as its receiver', () => {
  const record = { fromUserUid: null, toUserUid: 'user-desk' };
  expect(personMeant({}, { role: 'collect', record }).uid).toBeNull();
  expect(personMeant({ toUserUid: 'user-anna' }, { role: 'collect', record }).uid).toBe('user-anna');
});
