// What Work says of an item that was left in a locker: to fetch it, unless its case is open and may count on it.
import { expect, test } from 'vitest';
import { itemsLeft } from '../../../processes/inbox/items-left.ts';

const lockers = ['4', '5'].map((lockerName) => ({
  lockerUid: `locker-${lockerName}`,
  lockerName,
  pupUid: 'pup-central',
  toBeEmptied: true,
  leftShipmentUid: `left-${lockerName}`,
}));

/** Of locker 4 by a case that is open, of locker 5 by one that has ended. */
async function* owners() {
  for (const [workflowId, uid, name] of [
    ['hold-7', 'left-4', 'RUNNING'],
    ['hold-8', 'left-5', 'COMPLETED'],
  ])
    yield {
      ...{ workflowId, runId: `run of ${workflowId}`, type: 'Hold', status: { name } },
      closeTime: name === 'RUNNING' ? undefined : new Date(),
      searchAttributes: { LockerShipmentUids: [uid] },
    };
}

test('an item on which an open case may count is not to be fetched without a look at that case', async () => {
  const call = async (operation: string) =>
    operation === 'GetLockers' ? { items: lockers, totalItems: lockers.length } : { stateStart: null };
  const parts = {
    client: { workflow: { list: owners } },
    service: { call },
    serviceClock: { aheadMs: async () => 0 },
  };
  const { entries } = await itemsLeft.read(parts as never);
  expect(entries).toMatchObject([
    {
      key: 'hold-7',
      why: 'An item was left in locker 4 of pup-central. Its shipment was cancelled while the item was inside. hold-7 is still open, and may count on it: it can book this locker for the next person.',
      ifNothing: 'The item stays there, and only a booking that names this locker gets it.',
      toDo: 'Look at hold-7 first. Only if it does not need the item there, open the locker and take it out. Then say that the locker is empty.',
      actions: [{ consequence: expect.stringContaining('hold-7 is still open, and may count on it') }],
    },
    {
      key: 'hold-8',
      ifNothing: 'The item stays there, and no booking gets this locker.',
      toDo: 'Open the locker and take the item out. Then say that the locker is empty.',
      actions: [{ consequence: 'The next booking may get this locker. Say so only once the item is out.' }],
    },
  ]);
  // Those that are to be fetched are one group.
  expect(entries.map(({ cause }) => cause?.id)).toEqual([undefined, 'itemLeft:pup-central']);
});
