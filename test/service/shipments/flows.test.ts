// What each operation that creates shipments creates, and the life of these shipments to the end: their users, details, links
// and states, and what is told of them (interface: Flow-specific local operations; assumptions: States, Chains).
import { beforeEach, expect, test } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import { createTestService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';
import { wallOf } from '../../support/wall.ts';

const service = useInFile(() => createTestService());
const wall = useInFile(() => wallOf(service.address));
beforeEach(() => wall.sandbox('POST', 'reset'));

const dispatcher = 'main-demo';
const anna = 'user-anna';
const bram = 'user-bram';
const details = { referenceNo: 'D-1', referenceCaseNo: 'D-CASE', description: 'D' };
const returned = { referenceNo: 'R-1', referenceCaseNo: 'R-CASE', description: 'R' };
const again = { referenceNo: 'A-1', referenceCaseNo: 'A-CASE', description: 'A' };
const issue = { referenceCaseNo: 'I-CASE' };
const issued = { ...details, ...issue };
const threeShipments = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock';

interface Leg {
  readonly from: string;
  readonly to: string | null;
  readonly begins: string;
  readonly details?: object;
  /** The index of the leg that it swaps, follows, or becomes stock after. */
  readonly swaps?: number;
  readonly follows?: number;
  readonly isStockAfter?: number;
}

interface Flow {
  readonly name: OperationName;
  readonly request: object;
  /** The operation that has booked the shipment before it which the request names; stock is dropped off. */
  readonly after?: 'CreateLocalShipmentAsStock' | 'CreateLocalShipmentAsIntake';
  readonly legs: readonly Leg[];
  /** Openings for a drop-off (+) or a pick-up (-) of the leg with this index. */
  readonly opened: string;
  /** In their order: the index of the leg, and its new state: W, D, P or C. */
  readonly told: string;
}

const states: Readonly<Record<string, string>> = {
  W: 'WaitForReceiver',
  D: 'ReadyForDropoff',
  P: 'ReadyForPickup',
  C: 'Completed',
};

const dropOff = 'ReadyForDropoff';
const pickUp = 'ReadyForPickup';
const flows: readonly Flow[] = [
  {
    name: 'CreateLocalShipment',
    request: { ...details, fromUserUid: anna, toUserUid: bram },
    legs: [{ from: anna, to: bram, begins: dropOff, details }],
    opened: '+0 -0',
    told: '0P 0C',
  },
  {
    name: 'CreateLocalShipment',
    request: { fromUserUid: anna, toUserUid: null },
    legs: [{ from: anna, to: dispatcher, begins: dropOff }],
    opened: '+0 -0',
    told: '0P 0C',
  },
  {
    name: 'CreateLocalShipment',
    request: { fromUserUid: null, toUserUid: bram },
    legs: [{ from: dispatcher, to: bram, begins: dropOff }],
    opened: '+0 -0',
    told: '0P 0C',
  },
  {
    name: 'CreateLocalShipment',
    request: { fromUserUid: anna, toUserUid: null, isReceiverDelayed: true },
    legs: [{ from: anna, to: null, begins: dropOff }],
    opened: '+0',
    told: '0W',
  },
  {
    name: 'CreateLocalShipmentAsIssue',
    request: { toUserUid: anna, details },
    legs: [{ from: dispatcher, to: anna, begins: dropOff, details }],
    opened: '+0 -0',
    told: '0P 0C',
  },
  {
    name: 'CreateLocalShipmentAsIssueAndSwapIntake',
    request: { toUserUid: anna, details, return: returned },
    legs: [
      { from: dispatcher, to: anna, begins: dropOff, details },
      { from: anna, to: dispatcher, begins: 'Registered', details: returned, swaps: 0 },
    ],
    opened: '+0 -0 -1',
    told: '0P 0C 1P 1C',
  },
  {
    name: 'CreateLocalShipmentAsStock',
    request: { details },
    legs: [{ from: dispatcher, to: null, begins: dropOff, details }],
    opened: '+0',
    told: '0W',
  },
  {
    name: 'CreateLocalShipmentAsStockAfterSwapIntake',
    request: { details },
    after: 'CreateLocalShipmentAsIntake',
    legs: [
      { from: anna, to: dispatcher, begins: dropOff },
      { from: dispatcher, to: null, begins: 'Registered', details, swaps: 0 },
    ],
    opened: '+0 -0',
    told: '0P 0C 1W',
  },
  {
    name: 'CreateLocalShipmentAsIssueFromStock',
    request: { toUserUid: anna, issue },
    after: 'CreateLocalShipmentAsStock',
    legs: [{ from: dispatcher, to: anna, begins: pickUp, details: issued }],
    opened: '-0',
    told: '0W 0P 0C',
  },
  {
    name: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
    request: { toUserUid: anna, return: returned, issue },
    after: 'CreateLocalShipmentAsStock',
    legs: [
      { from: dispatcher, to: anna, begins: pickUp, details: issued },
      { from: anna, to: dispatcher, begins: 'Registered', details: returned, swaps: 0 },
    ],
    opened: '-0 -1',
    told: '0W 0P 0C 1P 1C',
  },
  {
    name: 'CreateLocalShipmentAsIntake',
    request: { fromUserUid: anna, details },
    legs: [{ from: anna, to: dispatcher, begins: dropOff, details }],
    opened: '+0 -0',
    told: '0P 0C',
  },
  {
    name: 'CreateLocalShipmentAsIntakeAndCircularStock',
    request: { fromUserUid: anna, details },
    legs: [
      { from: anna, to: dispatcher, begins: dropOff, details },
      { from: dispatcher, to: null, begins: 'Registered', details, isStockAfter: 0 },
    ],
    opened: '+0 -1',
    told: '0C 1P 1C',
  },
  {
    name: threeShipments,
    request: { toUserUid: anna, return: returned, issue, details: again },
    after: 'CreateLocalShipmentAsStock',
    legs: [
      { from: dispatcher, to: anna, begins: pickUp, details: issued },
      { from: anna, to: dispatcher, begins: 'Registered', details: returned, follows: 0 },
      { from: dispatcher, to: null, begins: 'Registered', details: again, isStockAfter: 1 },
    ],
    opened: '-0 +1 -2',
    told: '0W 0P 0C 1D 1C 2P 2C',
  },
  ...(
    [
      ['CreateCollectOnlyShipment', { toUserUid: anna }, anna],
      ['CreateCollectOnlyShipment', { toUserUid: null }, dispatcher],
      ['CreateCollectOnlyShipmentAsCollectByDispatcher', {}, dispatcher],
      ['CreateCollectOnlyShipmentAsCollectByUser', { toUserUid: anna }, anna],
    ] as const
  ).map(([name, users, collector]) => ({
    name,
    request: { ...users, details, keepBookedAfterPickUp: false },
    legs: [{ from: dispatcher, to: collector, begins: pickUp, details }],
    opened: '-0',
    told: '0C',
  })),
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
      legs.map((leg, index) => ({
        shipmentUid: uids[index],
        stateCode: leg.begins,
        fromUserUid: leg.from,
        toUserUid: leg.to,
        ...leg.details,
        swapsShipmentUid: uids[leg.swaps ?? -1] ?? null,
        priorShipmentUid: uids[leg.follows ?? -1] ?? null,
        circularPriorShipmentUid: uids[leg.isStockAfter ?? -1] ?? null,
        shipmentType: name.startsWith('CreateCollectOnly') ? 'CollectOnlyShipment' : 'LocalPupShipment',
      })),
    );
    for (const [way, index] of opened.split(' ').map(([sign, digit]) => [sign, Number(digit)] as const))
      await (way === '+' ? wall.drop : wall.pick)(uids[index] ?? '');
    const expected = told.split(' ').map(([digit, state = '']) => [Number(digit), states[state]]);
    expect(await wall.told(...uids)).toEqual(expected);
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
  const other = await wallOf(service.address, 'other');
  const [issue] = await other.book('CreateLocalShipmentAsIssue', { pupUid: 'pup-other' });
  expect(await other.shipment(issue)).toMatchObject({ fromUserUid: 'main-other', toUserUid: anna });
});
