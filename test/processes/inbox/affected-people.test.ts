// Who is affected by an offline wall: those whose open case has a locker there. An item that an ended case left has nobody to write to
// by its case.
import { expect, test } from 'vitest';
import { affectedAt } from '../../../processes/inbox/stuck-doors.ts';

const locker = (shipmentUid: string | null, leftShipmentUid: string | null) =>
  ({
    outOfOrder: false,
    toBeEmptied: leftShipmentUid !== null,
    leftShipmentUid,
    doorFailure: { occurredAt: '2031-05-01T11:18:00.000', reason: 'not connected', wallOffline: true },
    shipments: shipmentUid === null ? [] : [{ shipmentUid, stateCode: 'ReadyForPickup' }],
  }) as never;

const holders = new Map([
  ['open', [{ workflowId: 'DL-1', isRunning: true }]],
  ['left', [{ workflowId: 'DL-2', isRunning: false }]],
] as never);

test('only open cases are told of it', () => {
  expect(affectedAt([locker('open', null), locker(null, 'left')], holders as never)).toEqual({
    keys: ['DL-1'],
    remedy: 'message',
  });
  expect(affectedAt([locker(null, 'left')], holders as never)).toBeUndefined();
});
