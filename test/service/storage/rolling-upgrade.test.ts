// A rolling upgrade while requests come: the schema gets newer under instances that serve, and none of them fails.
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { functions, functionsOf } from '../../../service/storage/functions.ts';
import { migrate } from '../../../service/storage/migrate.ts';
import { knownMigrations, type Migration } from '../../../service/storage/migrations.ts';
import { repeatedOnConflict } from '../../../service/storage/transaction.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { withService } from '../../support/service.ts';

const migrationOf = (name: string, sql: string): Migration => ({ name, sql, checksum: hash('sha256', sql) });

/** Tables that every request uses get columns, and an index. */
const additive = [
  migrationOf(
    '9990-colours.sql',
    `ALTER TABLE shipments ADD COLUMN colour text NOT NULL DEFAULT 'grey';
     ALTER TABLE lockers ADD COLUMN colour text NOT NULL DEFAULT 'grey';
     CREATE TABLE colours (colour text PRIMARY KEY);`,
  ),
  migrationOf(
    '9991-by-colour.concurrent.sql',
    'CREATE INDEX CONCURRENTLY shipments_by_colour ON shipments (colour);\n',
  ),
];

/** The next version's: one has another signature, and one is gone. */
const newerFunctions = functionsOf(
  functions.sql
    .replaceAll('moment()', 'moment_now(interval)')
    .replaceAll('random_bits()', 'random_bits(p_unused integer DEFAULT 0)'),
);

const booking = {
  fromUserUid: 'user-anna',
  toUserUid: 'user-bram',
  pupUid: 'pup-central',
  allowLargerLockers: true,
  allowOverflowLockers: true,
  dimension: { width: 10, height: 10, length: 10 },
};

async function lifeOfAShipment(call: Caller): Promise<unknown[]> {
  const booked = await call('CreateLocalShipment', booking);
  const { shipmentUid } = booked.body;
  const unlock = { shipmentUid, unlockGoal: 'DropOff', pinCode: null };
  return [
    booked,
    await call('UnlockShipmentLocker', unlock, { 'idempotency-key': String(shipmentUid) }),
    await call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid }),
    await call('CancelShipment', { shipmentUid }),
    await call('GetPickUpPoints', { pageNo: 1, pageSize: 5, includeDetails: true }),
  ];
}

test('while requests come the schema gets newer and one instance takes over from another: no request fails', () =>
  withService(async (service) => {
    let address = service.address;
    let isOver = false;
    let requests = 0;
    const failed: unknown[] = [];
    const ready = async () => (await fetch(`${service.address}/health/ready`)).status;
    const work = async () => {
      let call = await callerAs(address);
      for (let used = address; !isOver; ) {
        if (used !== address) {
          used = address;
          call = await callerAs(address);
        }
        const answers = await lifeOfAShipment(call);
        requests += answers.length;
        failed.push(...answers.filter((answer) => (answer as { status: number }).status !== 200));
        // What was left behind: 24 lockers would be full of it soon. Like a request, it may be in a deadlock with the migration.
        const { database } = service;
        await repeatedOnConflict(() =>
          database
            .updateTable('lockers')
            .set({ to_be_emptied: false })
            .where('chain_id', 'is', null)
            .execute(),
        );
      }
    };
    const working = Promise.all([work(), work(), work()]);
    const untilMore = async (more: number) => {
      for (const until = requests + more; requests < until; ) await delay(10);
    };
    await untilMore(30);
    const migrations = [...(await knownMigrations()), ...additive];
    expect(await migrate(service.url, { migrations, functions: newerFunctions })).toHaveLength(3);
    expect(await ready()).toBe(200);
    await untilMore(60);
    // An instance of the former version may start as well, and take over.
    const other = await service.anotherInstance();
    address = other.address;
    await untilMore(30);
    await service.close();
    await untilMore(30);
    isOver = true;
    await working;
    await other.close();
    expect(failed).toEqual([]);
  }));

test('an instance is not ready on a schema in which a newer version has broken something', () =>
  withService(async (service) => {
    const migrations = [
      ...(await knownMigrations()),
      migrationOf('9990-gone.breaking.sql', 'DROP TABLE simulated_doors'),
    ];
    await migrate(service.url, { migrations });
    await expect.poll(async () => (await fetch(`${service.address}/health/ready`)).status).toBe(503);
  }));
