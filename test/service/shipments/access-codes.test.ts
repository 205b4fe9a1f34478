// assumptions: Lockers and codes, access codes: which exist, which open when, what changes them, and that no two at a pick up
// point are equal but a swap pair's.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

const { service, demo: wall } = useTenantsAnew();

const SIX_DIGITS = expect.stringMatching(/^\d{6}$/);
const details = { referenceNo: 'OBJECT' };

async function validCodes(): Promise<string[]> {
  const rows = await service.database.selectFrom('access_codes').select('code').orderBy('code').execute();
  return rows.map(({ code }) => code);
}

// assumptions: Lockers and codes, When an access code holds and changes
test('both codes exist from creation on, six digits each and different', async () => {
  const [shipment] = await wall.book('CreateLocalShipment');
  const [, registered] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  for (const uid of [shipment, registered]) {
    const codes = await wall.codes(uid);
    expect(codes).toEqual({ pickUpCode: SIX_DIGITS, deliveryCode: SIX_DIGITS });
    expect(codes.pickUpCode).not.toBe(codes.deliveryCode);
  }
});

// assumptions: Reading, GetShipmentAccessCode
test('there is no DeliveryCode of collect-only and circular stock, no PickUpCode of an intake before circular stock', async () => {
  const [collect] = await wall.book('CreateCollectOnlyShipment');
  const [intake, circular] = await wall.book('CreateLocalShipmentAsIntakeAndCircularStock');
  expect(await wall.codes(collect)).toEqual({ pickUpCode: SIX_DIGITS, deliveryCode: null });
  expect(await wall.codes(intake)).toEqual({ pickUpCode: null, deliveryCode: SIX_DIGITS });
  expect(await wall.codes(circular)).toEqual({ pickUpCode: SIX_DIGITS, deliveryCode: null });
});

test('a code opens only in its state, and is gone with the end of its shipment', async () => {
  const [shipment] = await wall.book('CreateLocalShipment');
  const { pickUpCode, deliveryCode } = await wall.codes(shipment);
  const refused = { success: false, error: 'InvalidAccessCode' };
  expect(await wall.type(shipment, pickUpCode)).toMatchObject(refused);
  expect(await wall.type(shipment, deliveryCode)).toMatchObject({ success: true });
  expect(await wall.type(shipment, deliveryCode)).toMatchObject(refused);
  expect(await wall.type(shipment, pickUpCode)).toMatchObject({ success: true });
  expect(await wall.type(shipment, pickUpCode)).toMatchObject(refused);
  expect(await wall.codes(shipment)).toEqual({ pickUpCode: null, deliveryCode: null });
  expect(await validCodes()).toEqual([]);
  const [cancelled] = await wall.book('CreateLocalShipment');
  await wall.cancel(cancelled);
  expect(await validCodes()).toEqual([]);
});

// assumptions: Lockers and codes, SimulateLockerAccess
test('a code opens neither another locker nor the same locker name at another pick up point', async () => {
  const [shipment] = await wall.book('CreateLocalShipment', { lockerUid: 'pup-central-9' });
  const { deliveryCode, pickUpCode } = await wall.codes(shipment);
  const opensNoOther = async (code: string | null) => {
    for (const [pupUid, lockerName, pinCode] of [
      ['pup-central', '10', code],
      ['pup-station', '9', code],
      ['pup-central', '9', '12345'],
      ['pup-central', '9', 'not a code'],
    ])
      await wall.refuses('SimulateLockerAccess', { pupUid, lockerName, pinCode }, 'InvalidAccessCode');
  };
  await opensNoOther(deliveryCode);
  expect(await wall.states(shipment)).toEqual(['ReadyForDropoff']);
  expect((await wall.lockers()).map(({ lastAccess }) => lastAccess)).toEqual(Array(24).fill(null));
  await wall.type(shipment, deliveryCode);
  await opensNoOther(pickUpCode);
  expect(await wall.states(shipment)).toEqual(['ReadyForPickup']);
});

test('a swap takes the PickUpCode of its predecessor as its DeliveryCode, which opens once for both', async () => {
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  const { pickUpCode } = await wall.codes(issue);
  expect((await wall.codes(intake)).deliveryCode).toBe(pickUpCode);
  await wall.drop(issue);
  expect(await wall.type(issue, pickUpCode)).toMatchObject({ success: true });
  expect(await wall.states(issue, intake)).toEqual(['Completed', 'ReadyForPickup']);
  expect(await wall.type(issue, pickUpCode)).toMatchObject({ error: 'InvalidAccessCode' });
});

test('changing either side of a swap pair changes both, the other codes stay', async () => {
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  const seen = new Set([(await wall.codes(issue)).pickUpCode]);
  const other = [(await wall.codes(issue)).deliveryCode, (await wall.codes(intake)).pickUpCode];
  await wall.ok('AddShipmentObject', { shipmentUid: issue, details, changePickUpAccess: true });
  seen.add((await wall.codes(issue)).pickUpCode);
  expect((await wall.codes(intake)).deliveryCode).toBe((await wall.codes(issue)).pickUpCode);
  await wall.ok('AddShipmentObject', { shipmentUid: intake, details, changeDropOffAccess: true });
  seen.add((await wall.codes(issue)).pickUpCode);
  expect((await wall.codes(intake)).deliveryCode).toBe((await wall.codes(issue)).pickUpCode);
  await wall.ok('SetShipmentReceiver', { shipmentUid: issue, removeReceiver: true });
  seen.add((await wall.codes(issue)).pickUpCode);
  expect((await wall.codes(intake)).deliveryCode).toBe((await wall.codes(issue)).pickUpCode);
  expect(seen.size).toBe(4);
  expect([(await wall.codes(issue)).deliveryCode, (await wall.codes(intake)).pickUpCode]).toEqual(other);
  expect(await validCodes()).toHaveLength(3);
});

test('a swap that is cancelled leaves its predecessor the shared code', async () => {
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  const { pickUpCode } = await wall.codes(issue);
  await wall.cancel(intake);
  await wall.drop(issue);
  expect(await wall.type(issue, pickUpCode)).toMatchObject({ success: true });
});

test('AddShipmentObject makes new codes where asked, the old ones open no more', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const first = await wall.codes(shipmentUid);
  await wall.ok('AddShipmentObject', { shipmentUid, details });
  expect(await wall.codes(shipmentUid)).toEqual(first);
  await wall.ok('AddShipmentObject', { shipmentUid, details, changeDropOffAccess: true });
  const second = await wall.codes(shipmentUid);
  expect(second).toEqual({ pickUpCode: first.pickUpCode, deliveryCode: SIX_DIGITS });
  expect(second.deliveryCode).not.toBe(first.deliveryCode);
  const both = { changePickUpAccess: true, changeDropOffAccess: true };
  await wall.ok('AddShipmentObject', { shipmentUid, details, ...both });
  const third = await wall.codes(shipmentUid);
  expect(new Set([first, second, third].map(({ deliveryCode }) => deliveryCode)).size).toBe(3);
  expect(third.pickUpCode).not.toBe(first.pickUpCode);
  expect(await wall.type(shipmentUid, first.deliveryCode)).toMatchObject({ error: 'InvalidAccessCode' });
  expect(await wall.type(shipmentUid, third.deliveryCode)).toMatchObject({ success: true });
  expect(await validCodes()).toEqual([third.pickUpCode, third.deliveryCode].sort());
});

test('a code that does not exist is not made by asking for a new one', async () => {
  const [intake, circular] = await wall.book('CreateLocalShipmentAsIntakeAndCircularStock');
  const both = { changePickUpAccess: true, changeDropOffAccess: true };
  const changed = async (shipmentUid: string) =>
    (await wall.call('AddShipmentObject', { shipmentUid, details, ...both })).body;
  const ofIntake = await changed(intake);
  const ofCircular = await changed(circular);
  expect([ofIntake.success, ofCircular.success]).toEqual([true, true]);
  expect(ofIntake.message).toMatch(/No new code was made: changePickUpAccess: .* no PickUpCode$/);
  expect(ofCircular.message).toMatch(/No new code was made: changeDropOffAccess: .* no DeliveryCode$/);
  const onlyWhatExists = { shipmentUid: circular, details, changePickUpAccess: true };
  expect(await wall.ok('AddShipmentObject', onlyWhatExists)).toMatchObject({ message: null });
  expect(await wall.codes(intake)).toMatchObject({ pickUpCode: null });
  expect(await wall.codes(circular)).toMatchObject({ deliveryCode: null });
});

const CHAINS = 24;

// assumptions: Lockers and codes, Form of access codes
test('no two codes at a pick up point are equal', async () => {
  const anySize = { allowLargerLockers: true, dimension: { width: 1, height: 1, length: 1 } };
  for (let locker = 0; locker < CHAINS; locker++)
    await wall.book('CreateLocalShipmentAsIssueAndSwapIntake', anySize);
  expect(await validCodes()).toHaveLength(CHAINS * 3);
  const { rows } = await sql<{ codes: number }>`
    select count(distinct code) as codes
    from shipments, unnest(array[pick_up_code, delivery_code]) as code
  `.execute(service.database);
  expect(rows).toEqual([{ codes: CHAINS * 3 }]);
});

test('with no code left the booking is refused', { tags: 'long', timeout: 120_000 }, async () => {
  // In parts, each well within the time that a statement may take.
  for (let first = 0; first < 1_000_000; first += 100_000)
    await sql`
      insert into access_codes
      select pick_up_point_id, lpad(n::text, 6, '0'), 0
      from pick_up_points, generate_series(${first}::int, ${first + 99_999}::int) as n
      where pup_uid = 'pup-central'
    `.execute(service.database);
  const full = await wall.refused('CreateLocalShipment', examples.CreateLocalShipment.request);
  expect(full).toMatchObject({
    error: 'NoLockerAvailable',
    message: expect.stringContaining('access code'),
  });
});
