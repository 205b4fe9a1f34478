// @module-tag invariant
// Many bookings in one moment for few lockers, by two instances: no deadlock, and each free locker is booked once.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { tenantIdOf } from '../../../service/administration/tenants.ts';
import { type Booking, book } from '../../../service/shipments/booking-queue.ts';
import { plannedShipment, roomOf, shipmentRow } from '../../../service/shipments/planned-shipment.ts';
import { type Database, openDatabase } from '../../../service/storage/database.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { addPickUpPoint, type NewLocker } from '../../support/new-pick-up-point.ts';
import { query } from '../../support/query.ts';
import { createTestService } from '../../support/service.ts';
import { atSizes } from '../../support/suite.ts';
import { useInFile } from '../../support/use.ts';

const LOCKERS = 36;

/** Connections of their own, as two instances of the service have them: what one gathers, the other does not. */
let instances: readonly [Kysely<Database>, Kysely<Database>];
let tenantId: number;

const own = useInFile(() => createTestService());
const other = useInFile(() => own.anotherInstance());
beforeAll(async () => {
  instances = [
    own.database,
    openDatabase({ url: own.url, connections: 20, onBrokenConnection: () => undefined }),
  ];
  tenantId = await tenantIdOf(own.database, 'demo');
});
afterAll(async () => {
  await instances[1].destroy();
});

let last = 0;
const newWall = async (lockers: number): Promise<{ pupUid: string; lockers: NewLocker[] }> => {
  last += 1;
  const pupUid = `pup-last-${last}`;
  return { pupUid, lockers: await addPickUpPoint(own.database, 'demo', pupUid, { S: lockers }) };
};

function bookingAt(pupUid: string, more: Partial<Booking> = {}): Booking {
  const users = { fromUserUid: 'user-anna', toUserUid: 'user-bram' };
  const permissions = { allowLargerLockers: true, allowOverflowLockers: false };
  const room = roomOf({ dimension: { width: 10, height: 10, length: 10 }, ...permissions });
  const shipment = plannedShipment({ ...users, room });
  const state = { to: 'ReadyForDropoff', pickUpCode: 'new', deliveryCode: 'new' } as const;
  return {
    tenant_id: tenantId,
    pup_uid: pupUid,
    locker_uid: null,
    may_empty: false,
    small_side: room.sides.smallSide,
    middle_side: room.sides.middleSide,
    large_side: room.sides.largeSide,
    allow_larger: true,
    allow_overflow: false,
    named_user_uids: ['user-anna', 'user-bram'],
    shipments: [shipmentRow({ ...shipment, isStock: false }, state)],
    response: { shipmentUid: shipment.shipmentUid },
    operation: 'CreateLocalShipment',
    key_hash: null,
    request_hash: null,
    client_id: 'demo',
    on_behalf_of: null,
    request_id: 'last',
    uids: [shipment.shipmentUid],
    ...more,
  };
}

interface Booked {
  readonly outcome: string;
  readonly lockerName: unknown;
}

/** In one moment; the second instance gets them in opposite order. */
async function together(bookings: readonly Booking[], isOpposite = false): Promise<Booked[]> {
  const send = async (instance: number, booking: Booking): Promise<Booked> => {
    const { outcome, response } = await book(instances[instance] as Kysely<Database>, booking);
    return { outcome, lockerName: (response as { lockerName?: unknown } | null)?.lockerName };
  };
  const sent = isOpposite
    ? [...bookings.map((each) => send(0, each)), ...bookings.toReversed().map((each) => send(1, each))]
    : bookings.map((each, index) => send(index % 2, each));
  return await Promise.all(sent);
}

const tally = (booked: readonly { readonly outcome: string }[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(booked, ({ outcome }) => outcome)].map(([outcome, { length }]) => [outcome, length]),
  );

const hash = () => `\\x${Buffer.from(randomUUID()).toString('hex')}`;

atSizes({ short: 4, long: 25 }, (rounds) => {
  test('64 bookings for the last 24 of 36 lockers book exactly these', async () => {
    for (let round = 0; round < rounds; round++) {
      const { pupUid } = await newWall(LOCKERS);
      expect(tally(await together(Array.from({ length: 12 }, () => bookingAt(pupUid))))).toEqual({
        booked: 12,
      });
      const booked = await together(Array.from({ length: 64 }, () => bookingAt(pupUid)));
      expect(tally(booked)).toEqual({ booked: 24, NoLockerAvailable: 40 });
      expect(new Set(booked.map(({ lockerName }) => lockerName)).size).toBe(25);
    }
  });

  test.each([1, 2])('over HTTP too, with %i instances', async (count) => {
    const addresses = [own.address, other.address].slice(0, count);
    const callers = await Promise.all(addresses.map((address) => callerAs(address)));
    const request = {
      ...examples.CreateLocalShipment.request,
      dimension: { width: 10, height: 10, length: 10 },
    };
    const sent = async (pupUid: string, bookings: number) => {
      const answers = Array.from({ length: bookings }, async (_, index) => {
        const call = callers[index % count] as Caller;
        return { outcome: String((await call('CreateLocalShipment', { ...request, pupUid })).body.error) };
      });
      return tally(await Promise.all(answers));
    };
    for (let round = 0; round < rounds; round++) {
      const { pupUid } = await newWall(LOCKERS);
      expect(await sent(pupUid, 12)).toEqual({ null: 12 });
      expect(await sent(pupUid, 64)).toEqual({ null: 24, NoLockerAvailable: 40 });
    }
  });

  test('two instances get bookings of the same lockers by name, in opposite order', async () => {
    for (let round = 0; round < rounds; round++) {
      const { pupUid, lockers } = await newWall(8);
      const named = lockers.map(({ lockerUid }) => bookingAt(pupUid, { locker_uid: lockerUid }));
      expect(tally(await together(named, true))).toEqual({ booked: 8, NotFree: 8 });
    }
  });

  test('two instances get the same Idempotency-Keys in opposite order, and others that want the last lockers', async () => {
    for (let round = 0; round < rounds; round++) {
      const { pupUid } = await newWall(8);
      const keyed = Array.from({ length: 8 }, () =>
        bookingAt(pupUid, { key_hash: hash(), request_hash: hash() }),
      );
      const [first] = await Promise.all([
        together(keyed, true),
        together(Array.from({ length: 16 }, () => bookingAt(pupUid))),
      ]);
      // Whatever came first: a key books one locker, and its other sender gets the same answer.
      const { booked = 0, answered = 0 } = tally(first);
      expect(answered).toBe(booked);
    }
  });
});
test('a booking that finds all lockers locked again and again is refused, and may be sent again', async () => {
  // As if others booked each locker that it waits for.
  const busy = { executeQuery: async () => ({ rows: [{ outcome: 'Busy', response: null }] }) };
  const refused = book(busy as unknown as Kysely<Database>, bookingAt('pup-central'));
  await expect(refused).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    message: 'Others book all free lockers at this moment: try again after 2 s',
  });
});

test('Postgres has broken no deadlock in any of these', async () => {
  // Connections tell what they counted when they end.
  await Promise.all([own.close(), other.close(), ...instances.map((instance) => instance.destroy())]);
  const url = new URL('/postgres', own.url).href;
  const name = new URL(own.url).pathname.slice(1);
  const [counted] = await query(url, `SELECT deadlocks::int FROM pg_stat_database WHERE datname = '${name}'`);
  expect(counted).toEqual({ deadlocks: 0 });
});
