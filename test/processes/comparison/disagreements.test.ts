// What counts as a disagreement between a flow and the locker service about a shipment, and what does not.
import { expect, test } from 'vitest';
import type { ComparedFlow, FlowLeg } from '../../../processes/comparison/compared-flows.ts';
import { disagreementKind } from '../../../processes/comparison/disagreements.ts';

const early = '2031-05-01T10:00:00.000Z';
const late = '2031-05-01T11:00:00.000Z';

interface Case {
  readonly flow?: Partial<ComparedFlow>;
  readonly leg?: Partial<FlowLeg>;
  /** Its state; `gone`: the service has no such shipment. */
  readonly service: string;
  readonly since?: string;
  readonly isLockerTaken?: boolean;
}

const inLocker = { stateCode: 'ReadyForPickup', stateStart: late, isItemIn: true };
const givenUp = { status: 'CANCELLED', isGivenUp: true };

const cases: readonly [string, Case, ReturnType<typeof disagreementKind>][] = [
  ['the same state on both sides', { service: 'ReadyForDropoff' }, null],
  ['an open flow whose shipment is gone', { service: 'gone' }, 'noShipment'],
  [
    'a flow that has ended with an item in a locker, whose shipment is gone',
    { flow: { status: 'COMPLETED' }, leg: { ...inLocker, isDone: true }, service: 'gone' },
    'noShipment',
  ],
  [
    'a cancelled flow that left an item, whose shipment is gone',
    {
      flow: { status: 'CANCELLED' },
      leg: { stateCode: 'Cancelled', isItemIn: true, isDone: true },
      service: 'gone',
    },
    'noShipment',
  ],
  [
    'a forgotten item of a flow that a person gave up, until its locker is emptied',
    { flow: givenUp, leg: inLocker, service: 'gone', isLockerTaken: true },
    'noShipment',
  ],
  [
    'a flow that a person gave up, whose locker is emptied',
    { flow: givenUp, leg: inLocker, service: 'gone' },
    null,
  ],
  [
    'a service that was set back before the drop-off',
    { leg: inLocker, service: 'ReadyForDropoff' },
    'serviceBehind',
  ],
  [
    'a service that was set back to before a flow came to its end',
    {
      flow: { status: 'COMPLETED' },
      leg: { stateCode: 'Completed', stateStart: late, isDone: true },
      service: 'ReadyForDropoff',
    },
    'serviceBehind',
  ],
  [
    'a service that was set back, where the flow knows no time of its state',
    { leg: { ...inLocker, stateStart: null }, service: 'ReadyForDropoff' },
    'serviceBehind',
  ],
  ['a drop-off of which the flow was not told', { service: 'ReadyForPickup', since: late }, 'lateCallback'],
  ['an end of which the flow was not told', { service: 'Cancelled', since: late }, 'lateCallback'],
  [
    'a stock item that was issued by another flow after its own has ended',
    {
      flow: { status: 'COMPLETED' },
      leg: { stateCode: 'WaitForReceiver', isItemIn: true, isDone: true },
      service: 'ReadyForPickup',
      since: late,
    },
    null,
  ],
  [
    'a terminated flow with an active shipment, which is one without a flow',
    { flow: { status: 'TERMINATED' }, service: 'ReadyForPickup', since: late },
    null,
  ],
  [
    'a terminated flow whose shipment is over',
    {
      flow: { status: 'TERMINATED' },
      leg: { ...inLocker, stateStart: early },
      service: 'Completed',
      since: late,
    },
    null,
  ],
];

test.each(cases)('%s', (_title, { flow, leg, service, since = early, isLockerTaken = false }, kind) => {
  const compared = { workflowId: 'order-1', status: 'RUNNING', isFollowing: true, isGivenUp: false, ...flow };
  const known: FlowLeg = {
    role: 'issue',
    shipmentUid: 'uid-1',
    stateCode: 'ReadyForDropoff',
    stateStart: early,
    pupUid: 'pup',
    lockerName: '3',
    isDone: false,
    isItemIn: false,
    ...leg,
  };
  const shipment = service === 'gone' ? null : { stateCode: service, stateStart: since };
  expect(disagreementKind({ ...compared, legs: [known] }, known, shipment, isLockerTaken)).toBe(kind);
});
