// What the reconciler remembers of its last looks, and when it forgets.
import { expect, test } from 'vitest';
import { type Change, KnownChanges } from '../../activities/received-changes.ts';

const ready: Change = {
  shipmentUid: 'shipment-1',
  stateCode: 'ReadyForPickup',
  stateStart: '12:00',
  lastPickUpAt: null,
};

function after(since: number | null, endedAt: number): KnownChanges {
  const known = new KnownChanges();
  known.startRun(since);
  known.endRun([['order-1', ready]], endedAt);
  return known;
}

test('a change is known of this flow, this shipment, this state and this time of it', () => {
  const known = after(100, 200);
  known.startRun(200);
  expect(known.has('order-1', { ...ready })).toBe(true);
  expect(known.has('order-2', ready)).toBe(false);
  const others = [
    { shipmentUid: 'shipment-2' },
    { stateCode: 'Completed' },
    { stateStart: '12:01' },
    { lastPickUpAt: '12:01' },
  ];
  for (const other of others) expect(known.has('order-1', { ...ready, ...other })).toBe(false);
});

test.each([
  ['where the last one came to', 200, true],
  ['where another worker came to since', 260, true],
  ['before that, as after a restore', 199, false],
  ['nowhere, as the first look of all', null, false],
])('a look that begins %s (%j): the change is known, %j', (_, since, isKnown) => {
  const known = after(100, 200);
  known.startRun(since);
  expect(known.has('order-1', ready)).toBe(isKnown);
});
