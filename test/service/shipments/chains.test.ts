// assumptions: Chains row by row, over real HTTP and Postgres: who follows whom, what each takes over, and what is refused.
import { beforeAll, expect, test } from 'vitest';
import { notifiedStates } from '../../support/notifications.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

let dispatcher: unknown;

const { service, demo: wall } = useTenantsAnew();
beforeAll(async () => {
  ({ userUid: dispatcher } = await wall.ok('GetAccount', {}));
});

const details = { referenceNo: 'D-1', referenceCaseNo: 'D-CASE', description: 'D' };
const threeShipments = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock';

const swapOf = (shipmentUid: string) =>
  ({ fromUserUid: 'user-anna', toUserUid: 'user-bram', swapsShipmentUid: shipmentUid }) as const;

test('predecessor and successors share one locker until the last of them has ended', async () => {
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  const { lockerName } = await wall.shipment(issue);
  expect(await wall.shipment(intake)).toMatchObject({ lockerName, swapsShipmentUid: issue });
  await wall.drop(issue);
  await wall.pick(issue);
  expect(await wall.lockerOf(intake)).toMatchObject({ lockerName, state: 'Booked' });
  await wall.pick(intake);
  expect((await wall.lockers()).filter(({ state }) => state !== 'Free')).toEqual([]);
});

// assumptions: Chains, How many successors
test('a second pending successor of any kind is refused, and the whole call changes nothing', async () => {
  const [stock] = await wall.book('CreateLocalShipmentAsStock', { details });
  const [swap] = await wall.book('CreateLocalShipment', swapOf(stock));
  const before = await wall.shipment(stock);
  for (const [name, body] of [
    ['CreateLocalShipmentAsIssueFromStockAndSwapIntake', { issue: { referenceCaseNo: 'NEW' } }],
    [threeShipments, { issue: { referenceCaseNo: 'NEW' } }],
  ] as const)
    await wall.refuses(
      name,
      { priorShipmentUid: stock, toUserUid: 'user-anna', ...body },
      'InvalidShipmentState',
    );
  expect(await wall.shipment(stock)).toEqual(before);
  expect(await wall.ok('GetShipments', { pageNo: 1, pageSize: 10 })).toMatchObject({ totalItems: 2 });
  await wall.cancel(swap);
  await wall.book('CreateLocalShipment', swapOf(stock));
});

const swapRequest = {
  dimension: { width: 10, height: 10, length: 10 },
  allowLargerLockers: true,
  allowOverflowLockers: false,
};

test('a swap without users goes from the receiver of the swapped shipment, its own receiver set later', async () => {
  const [issue] = await wall.book('CreateLocalShipmentAsIssue');
  const [swap] = await wall.book('CreateLocalShipment', {
    fromUserUid: null,
    toUserUid: null,
    isReceiverDelayed: true,
    swapsShipmentUid: issue,
  });
  expect(await wall.shipment(swap)).toMatchObject({ fromUserUid: 'user-anna', toUserUid: null });
  await wall.drop(issue);
  await wall.pick(issue);
  expect(await wall.states(issue, swap)).toEqual(['Completed', 'WaitForReceiver']);
  await wall.ok('SetShipmentReceiver', { shipmentUid: swap, toUserUid: 'user-bram' });
  expect(await wall.states(swap)).toEqual(['ReadyForPickup']);
});

// assumptions: Chains, The user of a derived intake
test('a derived sender follows the receiver of its predecessor while it is registered', async () => {
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  const sender = async () => (await wall.shipment(intake)).fromUserUid;
  expect(await sender()).toBe('user-anna');
  await wall.ok('SetShipmentReceiver', { shipmentUid: issue, removeReceiver: true });
  expect(await sender()).toBe(dispatcher);
  await wall.ok('SetShipmentReceiver', { shipmentUid: issue, toUserUid: 'user-bram' });
  expect(await sender()).toBe('user-bram');
});

// assumptions: Chains, Pick up point and locker where a request gives none
test('a swap takes the place of its predecessor, and naming another one is refused', async () => {
  const [prior] = await wall.book('CreateLocalShipment', { lockerUid: 'pup-central-10' });
  const swap = { pupUid: 'pup-central', ...swapRequest, ...swapOf(prior) };
  for (const [change, status, error] of [
    [{ pupUid: 'pup-station' }, 404, 'InvalidPupUid'],
    [{ pupUid: 'pup-nowhere' }, 404, 'InvalidPupUid'],
    [{ lockerUid: 'pup-central-11' }, 404, 'InvalidLockerUid'],
    [{ dimension: { width: 26, height: 39, length: 60 } }, 409, 'NoLockerAvailable'],
    [{ toUserUid: 'nobody' }, 404, 'InvalidUserUid'],
  ] as const)
    expect(await wall.refused('CreateLocalShipment', { ...swap, ...change })).toMatchObject({
      status,
      error,
    });
  const same = { dimension: { width: 60, height: 25, length: 38 }, lockerUid: 'pup-central-10' };
  const booked = await wall.ok('CreateLocalShipment', { ...swap, ...same });
  expect(booked).toMatchObject({ pupUid: 'pup-central', lockerName: '10' });
});

test('a swap of a shipment that overflowed may name the pick up point asked for or the actual one', {
  tags: 'long',
}, async () => {
  const overflowing = { allowOverflowLockers: true, allowLargerLockers: false } as const;
  for (let taken = 0; taken < 10; taken++) await wall.book('CreateLocalShipment', overflowing);
  const [first] = await wall.book('CreateLocalShipment', overflowing);
  const [second] = await wall.book('CreateLocalShipment', overflowing);
  expect(await wall.shipment(first)).toMatchObject({ pupUid: 'pup-station' });
  for (const [pupUid, prior] of [
    ['pup-central', first],
    ['pup-station', second],
  ] as const) {
    const booked = await wall.ok('CreateLocalShipment', { pupUid, ...swapRequest, ...swapOf(prior) });
    expect(booked).toMatchObject({ pupUid: 'pup-station' });
  }
});

test('IssueFromStock keeps the case number when Issue gives none, and works before the drop off too', async () => {
  const [stock] = await wall.book('CreateLocalShipmentAsStock', { details });
  const issue = { referenceCaseNo: null };
  await wall.book('CreateLocalShipmentAsIssueFromStock', { priorShipmentUid: stock, issue });
  expect(await wall.shipment(stock)).toMatchObject({
    stateCode: 'ReadyForDropoff',
    referenceCaseNo: 'D-CASE',
  });
  expect(await notifiedStates(service.database, stock)).toEqual([]);
});

const fromStock = [
  'CreateLocalShipmentAsIssueFromStock',
  'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  threeShipments,
] as const;
const withoutReceiver = (shipmentUid: string) =>
  wall.ok('SetShipmentReceiver', { shipmentUid, removeReceiver: true });
const delayed = { toUserUid: null, isReceiverDelayed: true } as const;

// assumptions: Chains, IssueFromStock and its variants
test('IssueFromStock takes stock alone: nothing that merely has lost its receiver', async () => {
  const [issue] = await wall.book('CreateLocalShipmentAsIssue');
  const [parcel] = await wall.book('CreateLocalShipment');
  const [intake] = await wall.book('CreateLocalShipmentAsIntake');
  const [swapped, returning] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  await wall.drop(swapped);
  for (const uid of [issue, parcel, intake, returning]) {
    await withoutReceiver(uid);
    const before = await wall.shipment(uid);
    for (const name of fromStock)
      await wall.refuses(
        name,
        { priorShipmentUid: uid, toUserUid: 'user-bram' },
        'InvalidShipmentState',
        'is not stock',
      );
    expect(await wall.shipment(uid)).toEqual(before);
  }
});

test.each([
  ['stock', async () => (await wall.book('CreateLocalShipmentAsStock'))[0]],
  [
    'a local shipment whose receiver is delayed',
    async () => (await wall.book('CreateLocalShipment', delayed))[0],
  ],
  [
    'a swap whose receiver is delayed',
    async () => {
      const [issue] = await wall.book('CreateLocalShipmentAsIssue');
      return (await wall.book('CreateLocalShipment', { ...delayed, swapsShipmentUid: issue }))[0];
    },
  ],
  [
    'stock after a swap intake',
    async () => {
      const [priorShipmentUid] = await wall.book('CreateLocalShipmentAsIntake');
      return (await wall.book('CreateLocalShipmentAsStockAfterSwapIntake', { priorShipmentUid }))[0];
    },
  ],
  ['circular stock', async () => (await wall.book('CreateLocalShipmentAsIntakeAndCircularStock'))[1]],
])('IssueFromStock takes %s, and takes it again when its receiver was removed', async (_, stockOf) => {
  const stock = await stockOf();
  for (const toUserUid of ['user-anna', 'user-bram']) {
    await wall.book('CreateLocalShipmentAsIssueFromStock', { priorShipmentUid: stock, toUserUid });
    expect(await wall.shipment(stock)).toMatchObject({ toUserUid });
    await withoutReceiver(stock);
  }
});

const noDetails = { referenceNo: null, referenceCaseNo: null, description: null };

// assumptions: Chains, Details in IssueFromStockAndSubsequentIntakeAndCircularStock
test.each([
  ['one field', { referenceNo: 'OWN', referenceCaseNo: null }, { referenceNo: 'OWN' }],
  ['another field', { description: 'Own words' }, { description: 'Own words' }],
  ['an empty text, which is a value', { description: '' }, { description: '' }],
])(
  'in the three-shipment flow Details with %s are taken as given, and the stock’s are not mixed in',
  async (...[, given, taken]) => {
    const [stock] = await wall.book('CreateLocalShipmentAsStock', { details });
    const [, , circular] = await wall.book(threeShipments, { priorShipmentUid: stock, details: given });
    expect(await wall.shipment(circular)).toMatchObject({ ...noDetails, ...taken });
  },
);

test.each([
  ['absent', undefined],
  ['null', null],
  ['without a field', {}],
  ['with nothing but null', noDetails],
])('in the three-shipment flow Details that are %s are the stock’s, all three', async (_, given) => {
  const [stock] = await wall.book('CreateLocalShipmentAsStock', { details });
  const [, , circular] = await wall.book(threeShipments, { priorShipmentUid: stock, details: given });
  expect(await wall.shipment(circular)).toMatchObject(details);
});

test('the operations that give no pick up point take place, dimension and permissions from the prior', async () => {
  const [stock] = await wall.book('CreateLocalShipmentAsStock', { lockerUid: 'pup-central-12' });
  const [, intake, circular] = await wall.book(threeShipments, { priorShipmentUid: stock });
  const rows = await service.database
    .selectFrom('shipments')
    .select([
      'pick_up_point_id',
      'requested_pick_up_point_id',
      'locker_id',
      'small_side',
      'middle_side',
      'large_side',
      'allow_larger_lockers',
      'allow_overflow_lockers',
    ])
    .where('shipment_uid', 'in', [stock, intake, circular])
    .execute();
  expect(rows).toHaveLength(3);
  expect(rows[1]).toEqual(rows[0]);
  expect(rows[2]).toEqual(rows[0]);
});
