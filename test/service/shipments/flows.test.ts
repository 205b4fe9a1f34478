// What each operation that creates shipments creates, and the life of these shipments to the end: their users, details, links
// and states, and what is told of them (interface: Flow-specific local operations; assumptions: States, Chains).
import { expect, test } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import { notifiedStates as statesOf } from '../../support/notifications.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

const { service, demo: wall, other } = useTenantsAnew();

const dispatcher = 'main-demo';
const anna = 'user-anna';
const bram = 'user-bram';
const details = { referenceNo: 'D-1', referenceCaseNo: 'D-CASE', description: 'D' };
const returned = { referenceNo: 'R-1', referenceCaseNo: 'R-CASE', description: 'R' };
const again = { referenceNo: 'A-1', referenceCaseNo: 'A-CASE', description: 'A' };
const issue = { referenceCaseNo: 'I-CASE' };
const issued = { ...details, ...issue };
const threeShipments = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock';

/** A shipment of the flow: its users, the state in which it begins, and its details. */
interface Leg {
  readonly fromUserUid: string;
  readonly toUserUid: string | null;
  readonly stateCode: string;
  readonly details?: object;
  /** The index of the leg that it swaps, follows, or becomes stock after. */
  readonly swaps?: number;
  readonly follows?: number;
  readonly isStockAfter?: number;
}
const leg = (
  fromUserUid: string,
  toUserUid: string | null,
  stateCode: string,
  more: Pick<Leg, 'details' | 'swaps' | 'follows' | 'isStockAfter'> = {},
): Leg => ({ fromUserUid, toUserUid, stateCode, ...more });

/**
 * `opened`: openings for a drop-off (+) or a pick-up (-) of the leg with this index. `told`: the index of the leg and its new
 * state, W, D, P or C, in their order. `after`: what books the shipment that the request names; stock is dropped off.
 */
const flow = (
  name: OperationName,
  request: object,
  opened: string,
  told: string,
  legs: readonly Leg[],
  after?: 'CreateLocalShipmentAsStock' | 'CreateLocalShipmentAsIntake',
) => ({ name, request, opened, told, legs, after });
type Flow = ReturnType<typeof flow>;

const states: Readonly<Record<string, string>> = {
  W: 'WaitForReceiver',
  D: 'ReadyForDropoff',
  P: 'ReadyForPickup',
  C: 'Completed',
};

const dropOff = 'ReadyForDropoff';
const pickUp = 'ReadyForPickup';
const flows: readonly Flow[] = [
  flow('CreateLocalShipment', { ...details, fromUserUid: anna, toUserUid: bram }, '+0 -0', '0P 0C', [
    leg(anna, bram, dropOff, { details }),
  ]),
  flow('CreateLocalShipment', { fromUserUid: anna, toUserUid: null }, '+0 -0', '0P 0C', [
    leg(anna, dispatcher, dropOff),
  ]),
  flow('CreateLocalShipment', { fromUserUid: null, toUserUid: bram }, '+0 -0', '0P 0C', [
    leg(dispatcher, bram, dropOff),
  ]),
  flow('CreateLocalShipment', { fromUserUid: anna, toUserUid: null, isReceiverDelayed: true }, '+0', '0W', [
    leg(anna, null, dropOff),
  ]),
  flow('CreateLocalShipmentAsIssue', { toUserUid: anna, details }, '+0 -0', '0P 0C', [
    leg(dispatcher, anna, dropOff, { details }),
  ]),
  flow(
    'CreateLocalShipmentAsIssueAndSwapIntake',
    { toUserUid: anna, details, return: returned },
    '+0 -0 -1',
    '0P 0C 1P 1C',
    [
      leg(dispatcher, anna, dropOff, { details }),
      leg(anna, dispatcher, 'Registered', { details: returned, swaps: 0 }),
    ],
  ),
  flow('CreateLocalShipmentAsStock', { details }, '+0', '0W', [leg(dispatcher, null, dropOff, { details })]),
  flow(
    'CreateLocalShipmentAsStockAfterSwapIntake',
    { details },
    '+0 -0',
    '0P 0C 1W',
    [leg(anna, dispatcher, dropOff), leg(dispatcher, null, 'Registered', { details, swaps: 0 })],
    'CreateLocalShipmentAsIntake',
  ),
  flow(
    'CreateLocalShipmentAsIssueFromStock',
    { toUserUid: anna, issue },
    '-0',
    '0W 0P 0C',
    [leg(dispatcher, anna, pickUp, { details: issued })],
    'CreateLocalShipmentAsStock',
  ),
  flow(
    'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
    { toUserUid: anna, return: returned, issue },
    '-0 -1',
    '0W 0P 0C 1P 1C',
    [
      leg(dispatcher, anna, pickUp, { details: issued }),
      leg(anna, dispatcher, 'Registered', { details: returned, swaps: 0 }),
    ],
    'CreateLocalShipmentAsStock',
  ),
  flow('CreateLocalShipmentAsIntake', { fromUserUid: anna, details }, '+0 -0', '0P 0C', [
    leg(anna, dispatcher, dropOff, { details }),
  ]),
  flow('CreateLocalShipmentAsIntakeAndCircularStock', { fromUserUid: anna, details }, '+0 -1', '0C 1P 1C', [
    leg(anna, dispatcher, dropOff, { details }),
    leg(dispatcher, null, 'Registered', { details, isStockAfter: 0 }),
  ]),
  flow(
    threeShipments,
    { toUserUid: anna, return: returned, issue, details: again },
    '-0 +1 -2',
    '0W 0P 0C 1D 1C 2P 2C',
    [
      leg(dispatcher, anna, pickUp, { details: issued }),
      leg(anna, dispatcher, 'Registered', { details: returned, follows: 0 }),
      leg(dispatcher, null, 'Registered', { details: again, isStockAfter: 1 }),
    ],
    'CreateLocalShipmentAsStock',
  ),
  ...(
    [
      ['CreateCollectOnlyShipment', { toUserUid: anna }, anna],
      ['CreateCollectOnlyShipment', { toUserUid: null }, dispatcher],
      ['CreateCollectOnlyShipmentAsCollectByDispatcher', {}, dispatcher],
      ['CreateCollectOnlyShipmentAsCollectByUser', { toUserUid: anna }, anna],
    ] as const
  ).map(([name, users, collector]) =>
    flow(name, { ...users, details, keepBookedAfterPickUp: false }, '-0', '0C', [
      leg(dispatcher, collector, pickUp, { details }),
    ]),
  ),
];

test.each(flows)(
  '$name $request goes its way: $told',
  async ({ name, request, after, legs, opened, told }) => {
    const priorShipmentUid =
      after && (await wall.book(after, { details: after.endsWith('Stock') ? details : null }))[0];
    if (after === 'CreateLocalShipmentAsStock') await wall.drop(`${priorShipmentUid}`);
    const made = await wall.book(name, { ...request, ...(priorShipmentUid && { priorShipmentUid }) });
    const uids = [...new Set([priorShipmentUid, ...made])].filter(
      (uid) => uid !== undefined && uid !== '',
    ) as string[];
    const { items } = await wall.ok('GetShipments', { pageNo: 1, pageSize: 10, sortBy: 'CreatedAsc' });
    expect(items).toMatchObject(
      legs.map(({ details: given, swaps, follows, isStockAfter, ...record }, index) => ({
        shipmentUid: uids[index],
        ...record,
        ...given,
        swapsShipmentUid: uids[swaps ?? -1] ?? null,
        priorShipmentUid: uids[follows ?? -1] ?? null,
        circularPriorShipmentUid: uids[isStockAfter ?? -1] ?? null,
        shipmentType: name.startsWith('CreateCollectOnly') ? 'CollectOnlyShipment' : 'LocalPupShipment',
      })),
    );
    for (const [way, index] of opened.split(' ').map(([sign, digit]) => [sign, Number(digit)] as const))
      await (way === '+' ? wall.drop : wall.pick)(uids[index] ?? '');
    const expected = told.split(' ').map(([digit, state = '']) => [Number(digit), states[state]]);
    expect(await statesOf(service.database, ...uids)).toEqual(expected);
    const isOver = expected.filter(([, state]) => state === 'Completed').length === legs.length;
    if (isOver) expect((await wall.lockers()).filter(({ state }) => state !== 'Free')).toEqual([]);
  },
);

test('where no details are given there are none', async () => {
  const none = { referenceNo: null, referenceCaseNo: null, description: null };
  for (const [name, request] of [
    ['CreateLocalShipment', none],
    ['CreateLocalShipmentAsStock', { details: undefined }],
    ['CreateCollectOnlyShipment', { details: null }],
  ] as const) {
    const [shipmentUid] = await wall.book(name, request);
    expect(await wall.shipment(shipmentUid)).toMatchObject(none);
  }
});

test('the dispatcher is the main account of the tenant whose client calls', async () => {
  const [issue] = await other.book('CreateLocalShipmentAsIssue', { pupUid: 'pup-other' });
  expect(await other.shipment(issue)).toMatchObject({ fromUserUid: 'main-other', toUserUid: anna });
});
