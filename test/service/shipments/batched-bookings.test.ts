// @module-tag invariant
// Bookings that come together: one transaction for several of them, and each has its own answer all the same.
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { addSmallLockers } from '../../support/small-lockers.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

const { service, demo: wall } = useTenantsAnew();
beforeAll(async () => {
  await addSmallLockers(service.database);
});

const booking = {
  ...examples.CreateLocalShipment.request,
  dimension: { width: 10, height: 10, length: 10 },
};

const together = (requests: readonly object[]) =>
  Promise.all(requests.map(async (request) => (await wall.call('CreateLocalShipment', request)).body));

test('bookings that come together are written in fewer transactions than bookings', async () => {
  const answers = await together(Array(60).fill(booking));
  expect(new Set(answers.map(({ lockerName }) => lockerName)).size).toBe(60);
  const { rows } = await sql<{ transactions: number }>`
    select count(distinct xmin::text)::int as transactions from shipments
    where shipment_uid = any(${answers.map(({ shipmentUid }) => shipmentUid)})
  `.execute(service.database);
  expect(rows[0]?.transactions).toBeLessThan(60);
});

test('a booking that is refused takes nothing from those beside it', async () => {
  const requests = Array.from({ length: 10 }, () => [
    booking,
    { ...booking, toUserUid: 'user-nobody' },
    { ...booking, pupUid: 'pup-nowhere' },
    { ...booking, dimension: { width: 900, height: 900, length: 900 } },
  ]).flat();
  const errors = (await together(requests)).map(({ error }) => error);
  expect(errors).toEqual(Array(10).fill([null, 'InvalidUserUid', 'InvalidPupUid', 'NoFittingLocker']).flat());
});

test('a booking that fails in Postgres takes nothing from those beside it', async () => {
  // A stand-in for any failure of one booking.
  await sql`
    alter table audit_log add constraint fails check (request_id <> 'fails') not valid
  `.execute(service.database);
  const call = async (requestId: string) => {
    const headers = { 'x-request-id': requestId };
    return { requestId, ...(await wall.call('CreateLocalShipment', booking, headers)) };
  };
  try {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => call(index % 8 === 3 ? 'fails' : `books-${index}`)),
    );
    for (const { requestId, status, body } of answers)
      expect({ requestId, status, success: body.success }).toEqual(
        requestId === 'fails'
          ? { requestId, status: 500, success: false }
          : { requestId, status: 200, success: true },
      );
    const held = (await wall.lockers()).filter(({ state }) => state === 'Booked');
    expect(held).toHaveLength(35);
  } finally {
    await sql`alter table audit_log drop constraint fails`.execute(service.database);
  }
});
