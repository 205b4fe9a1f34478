// What counts as a disagreement between a flow and the locker service, and what does not.
import { expect, test } from 'vitest';
import {
  type BothStores,
  type ComparedFlow,
  type Disagreement,
  disagreements,
  type FlowLeg,
  meaningOf,
  mendingOf,
  placeOf,
  type ServiceShipment,
} from '../../../processes/comparison/disagreements.ts';

const early = '2031-05-01T10:00:00.000Z';
const late = '2031-05-01T11:00:00.000Z';

const leg = (given: Partial<FlowLeg> = {}): FlowLeg => ({
  role: 'issue',
  shipmentUid: 'uid-1',
  stateCode: 'ReadyForDropoff',
  stateStart: early,
  pupUid: 'pup',
  lockerName: '3',
  isDone: false,
  isItemLeft: false,
  ...given,
});
const flow = (given: Partial<ComparedFlow> = {}): ComparedFlow => ({
  workflowId: 'order-1',
  status: 'RUNNING',
  isFollowing: true,
  isGivenUp: false,
  legs: [leg()],
  ...given,
});
const shipment = (given: Partial<ServiceShipment> = {}): ServiceShipment => ({
  shipmentUid: 'uid-1',
  stateCode: 'ReadyForDropoff',
  stateStart: early,
  referenceCaseNo: 'order-1',
  pupUid: 'pup',
  lockerName: '3',
  ...given,
});
const stores = (
  flows: readonly ComparedFlow[],
  shipments: readonly (ServiceShipment | string)[],
  given: Partial<BothStores> = {},
): BothStores => ({
  flows,
  shipments: new Map(
    shipments.map((each) => (typeof each === 'string' ? [each, null] : [each.shipmentUid, each])),
  ),
  earlierHolders: new Map(),
  lockers: new Map(),
  ...given,
});

const inLocker = leg({ stateCode: 'ReadyForPickup', stateStart: late });
const earlier = (status: string) => new Map([['uid-1', [{ workflowId: 'order-0', status }]]]);

const cases: readonly [string, BothStores, readonly Disagreement['kind'][]][] = [
  ['the same state on both sides', stores([flow()], [shipment()]), []],
  ['a flow that still books', stores([flow({ isFollowing: false, legs: [] })], []), []],
  ['an open flow whose shipment is gone', stores([flow()], ['uid-1']), ['noShipment']],
  [
    'a flow with an item in a locker, whose shipment is gone',
    stores([flow({ legs: [inLocker] })], ['uid-1']),
    ['noShipment'],
  ],
  [
    'a flow that has ended with an item in a locker, whose shipment is gone',
    stores(
      [flow({ status: 'COMPLETED', legs: [leg({ stateCode: 'WaitForReceiver', isDone: true })] })],
      ['uid-1'],
    ),
    ['noShipment'],
  ],
  [
    'a cancelled flow that left an item, whose shipment is gone',
    stores(
      [flow({ status: 'CANCELLED', legs: [leg({ stateCode: 'Cancelled', isItemLeft: true })] })],
      ['uid-1'],
    ),
    ['noShipment'],
  ],
  [
    'a service that was set back before the drop-off',
    stores([flow({ legs: [inLocker] })], [shipment()]),
    ['serviceBehind'],
  ],
  [
    'a service that was set back to before a flow came to its end',
    stores(
      [
        flow({
          status: 'COMPLETED',
          legs: [leg({ stateCode: 'Completed', stateStart: late, isDone: true })],
        }),
      ],
      [shipment()],
    ),
    ['serviceBehind'],
  ],
  [
    'a service that was set back, where the flow knows no time of its state',
    stores([flow({ legs: [leg({ stateCode: 'ReadyForPickup', stateStart: null })] })], [shipment()]),
    ['serviceBehind'],
  ],
  [
    'a drop-off of which the flow was not told',
    stores([flow()], [shipment({ stateCode: 'ReadyForPickup', stateStart: late })]),
    ['lateCallback'],
  ],
  [
    'an end of which the flow was not told',
    stores([flow()], [shipment({ stateCode: 'Cancelled', stateStart: late })]),
    ['lateCallback'],
  ],
  [
    'a stock item that was issued by another flow after its own has ended',
    stores(
      [flow({ status: 'COMPLETED', legs: [leg({ stateCode: 'WaitForReceiver', isDone: true })] })],
      [shipment({ stateCode: 'ReadyForPickup', stateStart: late })],
    ),
    [],
  ],
  [
    'a terminated flow with an active shipment',
    stores([flow({ status: 'TERMINATED' })], [shipment()]),
    ['noFlow'],
  ],
  [
    'a terminated flow whose shipment is over',
    stores(
      [flow({ status: 'TERMINATED', legs: [inLocker] })],
      [shipment({ stateCode: 'Completed', stateStart: late })],
    ),
    [],
  ],
  [
    'a terminated flow whose shipment another open flow has',
    stores([flow({ status: 'TERMINATED' }), flow({ workflowId: 'order-2' })], [shipment()]),
    [],
  ],
  ['a booking that no flow has', stores([], [shipment()]), ['noFlow']],
  ['a booking that no flow has and that is over', stores([], [shipment({ stateCode: 'Completed' })]), []],
  [
    'a booking whose flow was terminated long ago',
    stores([], [shipment()], { earlierHolders: earlier('TERMINATED') }),
    ['noFlow'],
  ],
  [
    'a stock item whose flow ended long ago, as it should',
    stores([], [shipment()], { earlierHolders: earlier('COMPLETED') }),
    [],
  ],
  [
    'a second booking with the case number of an open flow',
    stores([flow()], [shipment(), shipment({ shipmentUid: 'uid-2' })]),
    ['noFlow'],
  ],
  [
    'a booking with the case number of a flow that does not know its shipments',
    stores([flow({ isFollowing: false, legs: [] })], [shipment()]),
    ['noFlow'],
  ],
];

test.each(cases)('%s', (_title, both, kinds) => {
  expect(disagreements(both).map(({ kind }) => kind)).toEqual(kinds);
});

test('the cases show every kind, and each kind has a meaning and a command', () => {
  const shown = cases.flatMap(([, both]) => disagreements(both));
  expect(new Set(shown.map(({ kind }) => kind))).toEqual(
    new Set(['lateCallback', 'serviceBehind', 'noShipment', 'noFlow']),
  );
  for (const found of shown) {
    expect(meaningOf(found)).not.toBe('');
    expect(mendingOf(found).length).toBeGreaterThan(0);
  }
});

const commands = (both: BothStores) => disagreements(both).map(mendingOf);

test('a booking with the case number of an open flow is cancelled, or adopted by it', () => {
  expect(commands(stores([flow({ isFollowing: false, legs: [] })], [shipment()]))).toEqual([
    [
      'lockerflow shipment cancel uid-1',
      'lockerflow adopt order-1 --shipments <role>=uid-1 --by <you> --why <reason>',
    ],
  ]);
});

const place = placeOf('pup', '3');
test('a forgotten item of a flow that a person gave up is told of until its locker is emptied', () => {
  const givenUp = flow({ status: 'CANCELLED', isGivenUp: true, legs: [inLocker] });
  const told = (isFree: boolean) =>
    disagreements(
      stores([givenUp], ['uid-1'], { lockers: new Map([[place, { lockerUid: 'pup-3', isFree }]]) }),
    ).map(({ kind }) => kind);
  expect([told(false), told(true)]).toEqual([['noShipment'], []]);
});

test('an item without a shipment comes with its locker, and the command that keeps bookings away from it', () => {
  const lockers = new Map([[place, { lockerUid: 'pup-3', isFree: true }]]);
  const both = stores([flow({ legs: [inLocker] })], ['uid-1'], { lockers });
  expect(disagreements(both)).toMatchObject([
    { isItemIn: true, lockerName: '3', pupUid: 'pup', lockerUid: 'pup-3' },
  ]);
  expect(commands(both)[0]?.[0]).toBe('npm run -s service -- locker item-left <tenantUid> pup-3');
  expect(commands(stores([flow()], ['uid-1']))[0]?.[0]).toBe('lockerflow cancel order-1');
});

test('what a shell would take apart is quoted in the commands', () => {
  const [found] = disagreements(stores([], [shipment({ shipmentUid: "a'b c" })]));
  expect(found && mendingOf(found)).toEqual([`lockerflow shipment cancel 'a'\\''b c'`]);
});
