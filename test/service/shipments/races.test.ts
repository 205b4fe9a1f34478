// @module-tag invariant
// Races on real Postgres: many at once for what only some can have, and the right answer for all others.
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { useFunctions } from '../../../service/storage/functions.ts';
import { notifiedStates } from '../../support/notifications.ts';
import { addSmallLockers } from '../../support/small-lockers.ts';
import { atSizes } from '../../support/suite.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

const { service, demo: wall } = useTenantsAnew();
const booking = {
  ...examples.CreateLocalShipment.request,
  dimension: { width: 10, height: 10, length: 10 },
  toUserUid: 'user-bram',
  allowLargerLockers: false,
};

atSizes({ short: 8, long: 100 }, (LOCKERS) => {
  /** Of so many small lockers of pup-central, of which 8 are there at first. */
  beforeAll(async () => {
    if (LOCKERS > 8) await addSmallLockers(service.database);
  });

  /** Their names, 1 to 8 and race-1 to 92, and their uids. */
  const names = Array.from({ length: LOCKERS }, (_, index) =>
    index < 8 ? `${index + 1}` : `race-${index - 7}`,
  );
  const smallLockers = names.map((name) => (name.startsWith('race') ? name : `pup-central-${name}`));
  const lastName = names.at(-1) ?? '';
  const lastLocker = smallLockers.at(-1) ?? '';

  const many = <Result>(count: number, work: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  /** How many ended with which error; null is success. */
  function tally(bodies: readonly Readonly<Record<string, unknown>>[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { error } of bodies) counts[String(error)] = (counts[String(error)] ?? 0) + 1;
    return counts;
  }

  test('three times as many concurrent bookings as lockers book each locker once', async () => {
    const answers = await many(
      3 * LOCKERS,
      async () => (await wall.call('CreateLocalShipment', booking)).body,
    );
    expect(tally(answers)).toEqual({ null: LOCKERS, NoLockerAvailable: 2 * LOCKERS });
    const names = answers.filter(({ success }) => success).map(({ lockerName }) => lockerName);
    expect(new Set(names).size).toBe(LOCKERS);
    const held = (await wall.lockers()).filter(({ state }) => state === 'Booked');
    expect(held.map(({ shipments }) => shipments.length)).toEqual(Array(LOCKERS).fill(1));
  });

  test('while lockers become free all the time, bookings get every free locker', async () => {
    // Never more shipments than lockers: a refusal would be a "none free" while one is.
    const rounds = await many(LOCKERS, async () => {
      const bodies = [];
      for (let round = 0; round < 3; round++) {
        const { body } = await wall.call('CreateLocalShipment', booking);
        bodies.push(body);
        await wall.call('CancelShipment', { shipmentUid: body.shipmentUid });
      }
      return bodies;
    });
    expect(tally(rounds.flat())).toEqual({ null: 3 * LOCKERS });
  });

  test('if a cancellation and a pick-up come at once, exactly one succeeds, and the other gets the reason', async () => {
    const pairs = await many(Math.min(LOCKERS, 15), async () => {
      const [shipmentUid] = await wall.book('CreateLocalShipment', booking);
      await wall.drop(shipmentUid);
      const { pickUpCode } = await wall.codes(shipmentUid);
      const [cancelled, picked] = await Promise.all([
        wall.call('CancelShipment', { shipmentUid }),
        wall.type(shipmentUid, pickUpCode),
      ]);
      return { shipmentUid, cancelled: cancelled.body, picked };
    });
    for (const { shipmentUid, cancelled, picked } of pairs) {
      const [state] = await wall.states(shipmentUid);
      expect(cancelled.success).not.toBe(picked.success);
      if (cancelled.success) expect(picked.error).toBe('InvalidAccessCode');
      else expect(cancelled.error).toBe('InvalidShipmentState');
      expect(state).toBe(cancelled.success ? 'Cancelled' : 'Completed');
      expect((await notifiedStates(service.database, shipmentUid)).map(([, told]) => told)).toEqual([
        'ReadyForPickup',
        state,
      ]);
    }
  });

  test('a stock shipment issued twice at once goes to one of the two', async () => {
    const [stock] = await wall.book('CreateLocalShipmentAsStock', booking);
    await wall.drop(stock);
    const users = ['user-anna', 'user-bram', 'user-olga'];
    const answers = await many(12, async (index) => {
      const toUserUid = users[index % 3];
      const { body } = await wall.call('CreateLocalShipmentAsIssueFromStock', {
        priorShipmentUid: stock,
        toUserUid,
      });
      return { ...body, toUserUid };
    });
    expect(tally(answers)).toEqual({ null: 1, InvalidShipmentState: 11 });
    const winner = answers.find((answer) => 'success' in answer && answer.success);
    expect(await wall.shipment(stock)).toMatchObject({
      stateCode: 'ReadyForPickup',
      toUserUid: winner?.toUserUid,
    });
    expect(await notifiedStates(service.database, stock)).toEqual([
      [0, 'WaitForReceiver'],
      [0, 'ReadyForPickup'],
    ]);
  });

  test.each([
    [
      'shipment',
      'swapped twice at once has one successor',
      'CreateLocalShipment',
      'swapsShipmentUid',
      booking,
    ],
    [
      'receiver',
      'set twice at once is one of the two',
      'SetShipmentReceiver',
      'shipmentUid',
      { toUserUid: 'user-bram' },
    ],
  ] as const)('a %s %s', async (_, _title, name, field, request) => {
    const [shipmentUid] = await wall.book('CreateLocalShipmentAsStock', booking);
    const answers = await many(
      12,
      async () => (await wall.call(name, { ...request, [field]: shipmentUid })).body,
    );
    expect(tally(answers)).toEqual({ null: 1, InvalidShipmentState: 11 });
  });

  test('concurrent changes of one chain never deadlock, and end as if they had come one after another', async () => {
    await many(8, async () => {
      const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake', booking);
      const answers = await Promise.all([
        wall.call('UnlockShipmentLocker', { shipmentUid: issue, unlockGoal: 'DropOff' }),
        wall.call('UnlockShipmentLocker', { shipmentUid: issue, unlockGoal: 'PickUp' }),
        wall.call('CancelShipment', { shipmentUid: intake }),
        wall.call('AddShipmentObject', { shipmentUid: intake, details: {}, changeDropOffAccess: true }),
        wall.call('SetShipmentReceiver', { shipmentUid: issue, removeReceiver: true }),
        wall.call('CancelShipment', { shipmentUid: issue }),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      expect([
        ['Cancelled', 'Cancelled'],
        ['Completed', 'Cancelled'],
        ['Completed', 'ReadyForPickup'],
      ]).toContainEqual(await wall.states(issue, intake));
    });
    const { rows } = await sql`
    select * from lockers as locker where (chain_id is not null) <> exists (
      select from shipments where locker_id = locker.locker_id and state_code not in ('Completed', 'Cancelled'))
  `.execute(service.database);
    expect(rows).toEqual([]);
  });

  /** Somebody else's transaction, open as long as a test wants it to be. */
  async function inOpenTransaction(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: service.url });
    await client.connect();
    try {
      await client.query(useFunctions);
      await client.query('BEGIN');
      await work(client);
    } finally {
      await client.end();
    }
  }

  /** Settles when a request waits for a lock in the database. */
  const untilOneWaits = () =>
    vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and application_name = 'lockerflow-service'
        and wait_event_type = 'Lock'`.execute(service.database);
      expect(rows).toHaveLength(1);
    }, 60_000);

  const lockerRow = (lockerUid: string) =>
    service.database
      .selectFrom('lockers')
      .select('chain_id')
      .where('locker_uid', '=', lockerUid)
      .executeTakeFirst();

  test('a booking waits for the last free locker that another booking holds, and gets it if the other fails', async () => {
    await many(LOCKERS - 1, (index) =>
      wall.book('CreateLocalShipment', { ...booking, lockerUid: smallLockers[index] }),
    );
    await inOpenTransaction(async (client) => {
      await client.query('UPDATE lockers SET chain_id = 0 WHERE locker_uid = $1', [lastLocker]);
      const waiting = wall.call('CreateLocalShipment', booking);
      await untilOneWaits();
      await client.query('ROLLBACK');
      expect((await waiting).body).toMatchObject({ success: true, lockerName: lastName });
    });
  });

  test('a booking that waits for one locker gets another that becomes free', async () => {
    const booked = await many(LOCKERS - 1, (index) =>
      wall.book('CreateLocalShipment', { ...booking, lockerUid: smallLockers[index] }),
    );
    await inOpenTransaction(async (client) => {
      await client.query('UPDATE lockers SET chain_id = 0 WHERE locker_uid = $1', [lastLocker]);
      const waiting = wall.call('CreateLocalShipment', booking);
      await untilOneWaits();
      await wall.cancel(booked[2]?.[0] ?? '');
      await client.query('COMMIT');
      expect((await waiting).body).toMatchObject({ success: true, lockerName: names[2] });
    });
    expect(await lockerRow(lastLocker)).toMatchObject({ chain_id: 0 });
  });

  test('a booking for an account that is being removed waits, and finds it gone', async () => {
    await inOpenTransaction(async (client) => {
      await client.query("SELECT pg_advisory_xact_lock(account_lock('user-bram'))");
      await client.query("UPDATE accounts SET removed_at = now() WHERE user_uid = 'user-bram'");
      const waiting = wall.call('CreateLocalShipment', booking);
      await untilOneWaits();
      await client.query('COMMIT');
      expect((await waiting).body).toMatchObject({ error: 'InvalidUserUid' });
    });
    await sql`update accounts set removed_at = null where user_uid = 'user-bram'`.execute(service.database);
  });

  test('a removal waits for a booking that is under way for the account', async () => {
    await inOpenTransaction(async (client) => {
      await client.query("SELECT hold_accounts(array['user-bram'])");
      const waiting = wall.call('RemoveAccount', { userUid: 'user-bram' });
      await untilOneWaits();
      // As the foreign keys of the booking's shipments do. If the removal held what the booking needs, that would be a deadlock.
      const { rowCount } = await client.query(
        "SELECT FROM accounts WHERE user_uid = 'user-bram' FOR KEY SHARE SKIP LOCKED",
      );
      expect(rowCount).toBe(1);
      await client.query('ROLLBACK');
      expect((await waiting).body).toMatchObject({ success: true });
    });
  });

  test('a CreateOrGetAccount for an account that is being removed waits, and makes a new one', async () => {
    const request = {
      emailAddress: 'carla@example.com',
      firstName: 'Carla',
      lastName: 'Smit',
      pickUpPointUid: 'pup-central',
      mutationConfig: { canChangeFirstName: true },
    };
    const { userUid } = await wall.ok('CreateAccount', request);
    await inOpenTransaction(async (client) => {
      await client.query(
        `UPDATE accounts SET email_address = NULL, user_name = NULL, main_pick_up_point_id = NULL,
        mail_code = NULL, removed_at = now() WHERE user_uid = $1`,
        [userUid],
      );
      const waiting = wall.call('CreateOrGetAccount', request);
      await untilOneWaits();
      await client.query('COMMIT');
      const { body } = await waiting;
      expect(body).toMatchObject({ success: true, isExisting: false });
      expect(body.userUid).not.toBe(userUid);
    });
  });

  test('a reset of the sandbox waits for a booking that is under way for an account', async () => {
    await inOpenTransaction(async (client) => {
      await client.query("SELECT hold_accounts(array['user-anna'])");
      const waiting = wall.sandbox('POST', 'reset');
      await untilOneWaits();
      await client.query('ROLLBACK');
      expect((await waiting).status).toBe(200);
    });
  });
});
