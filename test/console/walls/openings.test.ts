// Who has opened a locker: the requests of desks and the openings by codes, as the locker service lists them.
import { expect, test } from 'vitest';
import { openingsIn } from '../../../console/walls/held-for.ts';
import type { Response } from '../../../contract/operations/operations.ts';

type ShipmentEvent = Response<'GetShipmentEvents'>['items'][number];

const nothing: ShipmentEvent = {
  kind: null,
  occurredAt: null,
  stateCode: null,
  accessGoal: null,
  operation: null,
  outcome: null,
  clientId: null,
  onBehalfOf: null,
  requestId: null,
};
const opened = (second: number, accessGoal: string | null): ShipmentEvent => ({
  ...nothing,
  kind: 'LockerOpened',
  occurredAt: `2031-05-01T12:00:${10 + second}.000`,
  accessGoal,
});
const requested = (operation: string, onBehalfOf: string | null): ShipmentEvent => ({
  ...nothing,
  kind: 'Requested',
  occurredAt: '2031-05-01T12:00:00.000',
  operation,
  clientId: 'demo',
  onBehalfOf,
  outcome: 'Success',
});
const changed: ShipmentEvent = { ...nothing, kind: 'StateChanged', stateCode: 'ReadyForPickup' };

test('the newest opening is first, with who had it opened without a code', () => {
  expect(
    openingsIn([
      requested('CreateLocalShipment', 'ada'),
      changed,
      opened(1, 'DropOff'),
      changed,
      requested('UnlockShipmentLocker', 'ada'),
      opened(2, null),
      requested('UnlockShipmentLocker', null),
      opened(3, 'PickUp'),
    ]),
  ).toEqual([
    { at: '2031-05-01T12:00:13.000Z', goal: 'PickUp', by: 'demo' },
    { at: '2031-05-01T12:00:12.000Z', goal: null, by: 'ada' },
    { at: '2031-05-01T12:00:11.000Z', goal: 'DropOff', by: null },
  ]);
});

test('a code that is typed after a request that did not open the door is a code', () => {
  const refused = { ...requested('UnlockShipmentLocker', 'ada'), outcome: 'UnlockFailed' };
  expect(openingsIn([refused, opened(1, 'DropOff')])).toMatchObject([{ by: null }]);
});

test('only the newest five are shown', () => {
  expect(openingsIn(Array.from({ length: 8 }, (_, index) => opened(index, null)))).toHaveLength(5);
});
