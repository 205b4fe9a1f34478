// What counts as a disagreement between a flow and the locker service, and what does not.
import { expect, test } from 'vitest';
import {
  type DisagreementKind,
  disagreementKinds,
  meaningOf,
  mendingOf,
} from '../../../../activities/routing/comparison/disagreement.ts';
import {
  type BothStores,
  type ComparedFlow,
  disagreements,
  type FlowLeg,
  placeOf,
  type ServiceShipment,
} from '../../../../activities/routing/comparison/judge.ts';

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
  isOfOther: false,
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

const secondFlow = (given: Partial<FlowLeg> = {}) => flow({ workflowId: 'order-2', legs: [leg(given)] });

const cases: readonly [string, BothStores, readonly DisagreementKind[]][] = [
  ['the same state on both sides', stores([flow()], [shipment()]), []],
  [
    'a shipment that two open flows take for their own',
    stores([secondFlow(), flow()], [shipment()]),
    ['heldTwice'],
  ],
  [
    'a shipment that another flow has booked and keeps',
    stores([flow(), secondFlow({ isOfOther: true })], [shipment()]),
    [],
  ],
  [
    'a shipment that one of its two flows has done',
    stores([flow(), secondFlow({ isDone: true })], [shipment()]),
    [],
  ],
  ['a flow that still books', stores([flow({ isFollowing: false, legs: [] })], []), []],
  ['an open flow whose shipment is gone', stores([flow()], ['uid-1']), ['bookingGone']],
  [
    'a flow with an item in a locker, whose shipment is gone',
    stores([flow({ legs: [inLocker] })], ['uid-1']),
    ['itemForgotten'],
  ],
  [
    'a flow that has ended with an item in a locker, whose shipment is gone',
    stores(
      [flow({ status: 'COMPLETED', legs: [leg({ stateCode: 'WaitForReceiver', isDone: true })] })],
      ['uid-1'],
    ),
    ['itemForgotten'],
  ],
  [
    'a cancelled flow that left an item, whose shipment is gone',
    stores(
      [flow({ status: 'CANCELLED', legs: [leg({ stateCode: 'Cancelled', isItemLeft: true })] })],
      ['uid-1'],
    ),
    ['itemForgotten'],
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
    ['serviceAhead'],
  ],
  [
    'an end of which the flow was not told',
    stores([flow()], [shipment({ stateCode: 'Cancelled', stateStart: late })]),
    ['serviceAhead'],
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
    ['flowEnded'],
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
    ['flowEnded'],
  ],
  [
    'a stock item whose flow ended long ago, as it should',
    stores([], [shipment()], { earlierHolders: earlier('COMPLETED') }),
    [],
  ],
  [
    'a second booking with the case number of an open flow',
    stores([flow()], [shipment(), shipment({ shipmentUid: 'uid-2' })]),
    ['bookedTwice'],
  ],
  [
    'a booking with the case number of a flow that does not know its shipments',
    stores([flow({ isFollowing: false, legs: [] })], [shipment()]),
    ['notAdopted'],
  ],
];

test.each(cases)('%s', (_title, both, kinds) => {
  expect(disagreements(both).map(({ kind }) => kind)).toEqual(kinds);
});

test('the cases show every kind, and each kind has a meaning and a command', () => {
  const shown = cases.flatMap(([, both]) => disagreements(both));
  expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set(disagreementKinds));
  for (const found of shown) {
    expect(meaningOf(found)).not.toBe('');
    expect(mendingOf(found).length).toBeGreaterThan(0);
  }
});

test('a shipment that two flows hold comes with the command for each of them', () => {
  const [found] = disagreements(stores([secondFlow({ role: 'intake' }), flow()], [shipment()]));
  expect(found).toMatchObject({
    workflowId: 'order-1',
    alsoHeldBy: [{ workflowId: 'order-2', role: 'intake' }],
  });
  expect(found && meaningOf(found)).toContain('order-1 and order-2 are open');
  expect(found && mendingOf(found)).toEqual([
    'lockerflow adopt order-1 --shipments issue=<its own> --by <you> --why <reason>',
    'lockerflow adopt order-2 --shipments intake=<its own> --by <you> --why <reason>',
  ]);
});

const place = placeOf('pup', '3');
const forgotten = (shipments: readonly ServiceShipment[], isFree: boolean | null) => {
  const lockers = new Map(isFree === null ? [] : [[place, { lockerUid: 'pup-3', isFree }] as const]);
  const both = stores([flow({ legs: [inLocker] })], ['uid-1', ...shipments], { lockers });
  return disagreements(both).find(({ kind }) => kind === 'itemForgotten');
};

test('a forgotten item of a flow that a person gave up is told of until its locker is emptied', () => {
  const givenUp = flow({ status: 'CANCELLED', isGivenUp: true, legs: [inLocker] });
  const told = (isFree: boolean) =>
    disagreements(
      stores([givenUp], ['uid-1'], { lockers: new Map([[place, { lockerUid: 'pup-3', isFree }]]) }),
    ).map(({ kind }) => kind);
  expect([told(false), told(true)]).toEqual([['itemForgotten'], []]);
});

const another = shipment({ shipmentUid: 'uid-2', referenceCaseNo: 'other' });

test.each([
  ['Free', [], true],
  ['NotFree', [], false],
  ['BookedByAnother', [another], false],
  ['Unknown', [], null],
] as const)('a forgotten item tells whether its locker is %s', (locker, shipments, isFree) => {
  expect(forgotten(shipments, isFree)).toMatchObject({ locker, lockerName: '3', pupUid: 'pup' });
});

test('a free locker with a forgotten item comes with the command that keeps bookings away from it', () => {
  const found = forgotten([], true);
  expect(found && mendingOf(found)[0]).toBe('npm run -s service -- locker item-left <tenantUid> pup-3');
});

test('what a shell would take apart is quoted in the commands', () => {
  const [found] = disagreements(stores([], [shipment({ shipmentUid: "a'b c" })]));
  expect(found && mendingOf(found)).toEqual([`lockerflow shipment cancel 'a'\\''b c'`]);
});
