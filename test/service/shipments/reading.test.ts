// GetShipments, its two kin and GetPickUpPoints (assumptions: Reading): every filter, order and total, over real HTTP.
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { shipmentRecord } from '../../../contract/operations/shipment-reading.ts';
import { useTenants } from '../../support/use-service.ts';

/** In the order of their creation. */
const uids: string[] = [];
const uidOf = (index: number) => uids[index] ?? '';

interface Listed {
  readonly shipmentUid: string;
}

const page = { pageNo: 1, pageSize: 100 };
const long = 'ß'.repeat(2_000);

const { service, demo: wall, other } = useTenants();
beforeAll(async () => {
  const [local] = await wall.book('CreateLocalShipment', { referenceNo: 'A', referenceCaseNo: 'C-1' });
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake', {
    details: { referenceNo: 'B', referenceCaseNo: 'C-1' },
    return: { referenceNo: 'A_%' },
  });
  const [collect] = await wall.book('CreateCollectOnlyShipment', {
    pupUid: 'pup-station',
    details: { referenceNo: long },
  });
  uids.push(local, issue, intake, collect);
  await wall.drop(issue);
  await wall.cancel(local);
});

async function found(
  request: object,
  name: 'GetShipments' | 'GetLocalShipments' | 'GetCollectOnlyShipments' = 'GetShipments',
) {
  const { items, totalItems } = await wall.ok(name, { ...page, ...request });
  const indexes = (items as Listed[]).map(({ shipmentUid }) => uids.indexOf(shipmentUid));
  expect(totalItems).toBe(indexes.length);
  return indexes;
}

test('without a filter every shipment of the tenant is listed, in the order of creation', async () => {
  expect(await found({})).toEqual([0, 1, 2, 3]);
});

// assumptions: Reading, GetShipments, GetLocalShipments, GetCollectOnlyShipments
test('each filter selects, and several select together', async () => {
  expect(await found({ activeShipments: true })).toEqual([1, 2, 3]);
  expect(await found({ activeShipments: false })).toEqual([0]);
  expect(await found({ shipmentState: ['Registered', 'Cancelled'] })).toEqual([0, 2]);
  expect(await found({ shipmentState: ['NoSuchState'] })).toEqual([]);
  expect(await found({ shipmentState: [] })).toEqual([]);
  expect(await found({ userUid: 'user-anna' })).toEqual([0, 1, 2, 3]);
  expect(await found({ userUid: 'user-bram' })).toEqual([0]);
  expect(await found({ userUid: 'nobody' })).toEqual([]);
  expect(await found({ bookedPupUid: 'pup-station' })).toEqual([3]);
  expect(await found({ bookedPupUid: 'pup-other' })).toEqual([]);
  expect(await found({ shipmentUid: uids[2] })).toEqual([2]);
  expect(await found({ referenceNo: 'A' })).toEqual([0]);
  expect(await found({ referenceNo: 'A_%' })).toEqual([2]);
  expect(await found({ referenceNo: long })).toEqual([3]);
  expect(await found({ referenceCaseNo: 'C-1' })).toEqual([0, 1]);
  expect(await found({ referenceCaseNo: 'C-1', activeShipments: true })).toEqual([1]);
});

// assumptions: The wire, shipmentType
test('the two narrower listings list one shipment type each', async () => {
  expect(await found({}, 'GetLocalShipments')).toEqual([0, 1, 2]);
  expect(await found({}, 'GetCollectOnlyShipments')).toEqual([3]);
});

test('by activity the last changed come last, or first', async () => {
  expect(await found({ sortBy: 'CreatedDesc' })).toEqual([3, 2, 1, 0]);
  expect(await found({ sortBy: 'ActivityAsc' })).toEqual([2, 3, 1, 0]);
  expect(await found({ sortBy: 'ActivityDesc' })).toEqual([0, 1, 3, 2]);
});

test('updatedSince takes moments with and without offset, without meaning UTC, and includes the moment itself', async () => {
  const { stateStart } = await wall.shipment(uidOf(0));
  const moment = new Date(`${stateStart}Z`);
  const inRome = new Date(moment.getTime() + 3_600_000).toISOString().replace('Z', '+01:00');
  const since = [stateStart, moment.toISOString(), inRome];
  for (const updatedSince of since) expect(await found({ updatedSince })).toEqual([0]);
  const later = new Date(moment.getTime() + 1).toISOString();
  expect(await found({ updatedSince: later })).toEqual([]);
  expect(await found({ updatedSince: '9999-12-31T23:59:59-23:59' })).toEqual([]);
  expect(await found({ updatedSince: '0000-01-01T00:00:00+23:59' })).toHaveLength(4);
});

test('pages follow one another without gap or overlap, and a page beyond the last is empty', async () => {
  const seen: string[] = [];
  for (let pageNo = 1; pageNo <= 3; pageNo++) {
    const answer = await wall.ok('GetShipments', { pageNo, pageSize: 3, sortBy: 'CreatedAsc' });
    expect(answer).toMatchObject({ pageNo, pageSize: 3, totalItems: 4, totalPages: 2 });
    seen.push(...(answer.items as Listed[]).map(({ shipmentUid }) => shipmentUid));
  }
  expect(seen).toEqual(uids);
});

test('a record has every field of the interface, and an access code in none', async () => {
  const { pickUpCode, deliveryCode } = await wall.codes(uidOf(1));
  const record = await wall.shipment(uidOf(1));
  expect(Object.keys(record)).toEqual(Object.keys(shipmentRecord.shape));
  for (const code of [pickUpCode, deliveryCode]) expect(Object.values(record)).not.toContain(code);
});

// assumptions: Reading, GetPickUpPoints
test('pick up points are listed by name, with their lockers where asked', async () => {
  const { items, ...rest } = await wall.ok('GetPickUpPoints', page);
  expect(rest).toMatchObject({ totalItems: 2, totalPages: 1 });
  const place = { timeZone: 'Europe/Amsterdam', city: 'Utrecht', countryCode: 'NL' };
  expect(items).toEqual([
    { pupUid: 'pup-central', name: 'Central', ...place },
    { pupUid: 'pup-station', name: 'Station', ...place },
  ]);
  const { items: detailed } = await wall.ok('GetPickUpPoints', {
    ...page,
    pupUid: 'pup-station',
    includeDetails: true,
  });
  const [station] = detailed as { lockers: { free: boolean }[] }[];
  expect(station?.lockers).toHaveLength(12);
  expect(station?.lockers[0]).toEqual({
    lockerUid: 'pup-station-1',
    lockerName: '1',
    size: 'S',
    free: true,
  });
  expect(station?.lockers.filter(({ free }) => !free)).toHaveLength(1);
});

test('a locker is free if no chain holds it, it is in order and no item was left in it', async () => {
  const left = await wall.leaveBehind('CreateLocalShipmentAsStock', { lockerUid: 'pup-central-24' });
  uids.push(left.shipmentUid);
  await wall.ok('SetLockerOutOfOrder', { lockerUid: 'pup-central-23', outOfOrder: true });
  const { items } = await wall.ok('GetPickUpPoints', {
    ...page,
    pupUid: 'pup-central',
    includeDetails: true,
  });
  const [central] = items as { lockers: { lockerUid: string; free: boolean }[] }[];
  const taken = central?.lockers.filter(({ free }) => !free).map(({ lockerUid }) => lockerUid);
  expect(taken).toHaveLength(3);
  expect(taken).toEqual(expect.arrayContaining(['pup-central-23', 'pup-central-24']));
});

test('searchText matches name, city and uid in any case, and has no wildcards', async () => {
  const names = async (searchText: string) => {
    const { items } = await wall.ok('GetPickUpPoints', { ...page, searchText });
    return (items as { name: string }[]).map(({ name }) => name);
  };
  expect(await names('CENT')).toEqual(['Central']);
  expect(await names('utrecht')).toEqual(['Central', 'Station']);
  expect(await names('pup-st')).toEqual(['Station']);
  for (const wildcard of ['%', '_', 'C%l', '\\']) expect(await names(wildcard)).toEqual([]);
  expect(await names('')).toEqual(['Central', 'Station']);
});

// The last: it changes the order of activity.
test('a change of details or of objects is activity, without a change of state', async () => {
  const first = async () => (await found({ sortBy: 'ActivityDesc' }))[0];
  const described = { description: 'heavy', referenceNo: 'B', referenceCaseNo: 'C-1' };
  await wall.ok('SetShipmentDetails', { shipmentUid: uidOf(1), ...described });
  expect(await first()).toBe(1);
  const { details } = examples.AddShipmentObject.request;
  const { shipmentObjectUid } = await wall.ok('AddShipmentObject', { shipmentUid: uidOf(3), details });
  expect(await first()).toBe(3);
  await wall.ok('SetShipmentDetails', { shipmentUid: uidOf(1), ...described });
  await wall.ok('RemoveShipmentObject', { shipmentUid: uidOf(3), shipmentObjectUid });
  expect(await first()).toBe(3);
});

test.for(['CreatedAsc', 'CreatedDesc', 'ActivityAsc', 'ActivityDesc'] as const)(
  'a cursor leads from page to page in the order %s, and to the end',
  async (sortBy) => {
    const expected = await found({ sortBy });
    const seen: number[] = [];
    let cursor: unknown = null;
    for (let pages = 0; pages < expected.length; pages++) {
      const answer = await wall.ok('GetShipments', { pageNo: 1, pageSize: 1, sortBy, cursor });
      seen.push(...(answer.items as Listed[]).map(({ shipmentUid }) => uids.indexOf(shipmentUid)));
      if (cursor !== null) expect(answer).toMatchObject({ totalItems: null, totalPages: null });
      cursor = answer.nextCursor;
      expect(cursor === null).toBe(pages === expected.length - 1);
    }
    expect(seen).toEqual(expected);
  },
);

test('a cursor that is none, of another order or of another tenant is refused', async () => {
  const { nextCursor: cursor } = await wall.ok('GetShipments', { pageNo: 1, pageSize: 1 });
  const refused = (changes: object, from = wall) =>
    from.refused('GetShipments', { pageNo: 1, pageSize: 1, ...changes });
  const made = { order: 'CreatedAsc', shipmentUid: '\0', updatedAt: '2031-05-01T12:00:00Z' };
  const withNul = Buffer.from(JSON.stringify(made)).toString('base64url');
  for (const changes of [
    ...[{ cursor: 'e30' }, { cursor: '?' }, { cursor: withNul }],
    { cursor, sortBy: 'ActivityAsc' },
  ])
    expect(await refused(changes)).toMatchObject({
      error: 'InvalidRequest',
      message: expect.stringContaining('cursor:'),
    });
  expect(await refused({ cursor }, other)).toMatchObject({ error: 'InvalidRequest' });
});

test('beyond 10,000 shipments nothing is counted or skipped, and the cursor leads on', {
  tags: 'long',
}, async () => {
  await sql`
    insert into shipments (shipment_uid, tenant_id, chain_id, shipment_type, state_code, state_start, updated_at,
      requested_pick_up_point_id, pick_up_point_id, locker_id, small_side, middle_side, large_side,
      allow_larger_lockers, allow_overflow_lockers, keep_booked_after_pick_up, from_follows_predecessor_receiver,
      is_stock)
    select 'old-' || n, tenant_id, n, 'LocalPupShipment', 'Completed', now(), now(), pick_up_point_id,
      pick_up_point_id, locker_id, 1, 1, 1, true, true, false, false, false
    from generate_series(1, 10001) as n, (
      select * from lockers where tenant_id = (select tenant_id from tenants where tenant_uid = 'other') limit 1
    ) as locker
  `.execute(service.database);
  const first = await other.ok('GetShipments', { pageNo: 1, pageSize: 500 });
  expect(first).toMatchObject({ totalItems: null, totalPages: null, nextCursor: expect.any(String) });
  await other.refuses('GetShipments', { pageNo: 22, pageSize: 500 }, 'InvalidRequest', 'use cursor');
  const seen = new Set<string>();
  for (let answer = first; ; ) {
    for (const { shipmentUid } of answer.items as Listed[]) seen.add(shipmentUid);
    if (answer.nextCursor === null) break;
    answer = await other.ok('GetShipments', { pageNo: 1, pageSize: 500, cursor: answer.nextCursor });
  }
  expect(seen.size).toBe(10_001);
});
