// @module-tag invariant
// Several senders on one database share the work. If one of them dies, the others finish what it has left.
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Child } from '../../../../local/child-process.ts';
import { claimCallbacks } from '../../../../service/callbacks/queue/claim-callbacks.ts';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { eachSampled } from '../../../support/suite.ts';
import { arrivals, ascending, until, untilDelivered, useServiceForEachTest } from '../support.ts';

const { service, receiver } = useServiceForEachTest();

/** Far longer than any attempt takes here. So a callback that comes twice does not come twice because of a time-out. */
const patient = { timeoutMs: 60_000, stopGraceMs: 60_000 };

test('several senders deliver each callback once, in order', { tags: 'long' }, async () => {
  for (let count = 0; count < 3; count++) service.sender({ ...patient, parallel: 2 });
  const uids = await Promise.all(Array.from({ length: 10 }, () => service.shipment()));
  await Promise.all(uids.map((shipmentUid) => service.events(shipmentUid, 4)));
  await untilDelivered(service);
  expect(receiver.received).toHaveLength(50);
  const order = arrivals(receiver.received);
  for (const events of order.values()) expect(events).toEqual(ascending(events));
});

test('a stopping sender finishes its attempts under way and leaves the rest to another', async () => {
  const stopping = service.sender(patient);
  const answers: (() => void)[] = [];
  receiver.answer = () =>
    new Promise((resolve) => {
      answers.push(() => resolve(200));
    });
  const shipmentUid = await service.shipment();
  await service.events(shipmentUid, 1);
  await until(() => answers.length === 1);
  const stopped = stopping.stop();
  receiver.answer = () => 200;
  answers[0]?.();
  await stopped;
  // The receiver accepted the first callback, and the stopped sender noted that. It did not begin the second.
  expect(receiver.received).toHaveLength(1);
  service.sender(patient);
  await untilDelivered(service);
  expect(receiver.received).toHaveLength(2);
});

test('an attempt that a stopping sender must cut is taken over at once', async () => {
  const stopping = service.sender({ ...patient, stopGraceMs: 0 });
  receiver.answer = () => new Promise(() => undefined);
  await service.shipment();
  await until(() => receiver.received.length === 1);
  await stopping.stop();
  receiver.answer = () => 200;
  service.sender(patient);
  await untilDelivered(service);
  expect(receiver.received).toHaveLength(2);
});

eachSampled(
  test,
  [200, 500],
  2,
)(
  'an answer %i during a change of state of the shipment is recorded right after the change',
  async (status) => {
    service.sender(patient);
    let answer: () => void = () => undefined;
    receiver.answer = () =>
      new Promise((resolve) => {
        answer = () => resolve(status);
      });
    const shipmentUid = await service.shipment();
    await until(() => receiver.received.length === 1);
    const change = await service.database.startTransaction().execute();
    await sql`select record_events(array[shipment_id]) from shipments where shipment_uid = ${shipmentUid}`.execute(
      change,
    );
    receiver.answer = () => 200;
    answer();
    // The sender has noted what needs no lock of the shipment. So it has been there, and has to come again.
    await until(async () => {
      const { rows } = await sql`
        select from shipment_events where delivered_at is not null union all select from callback_failures
      `.execute(service.database);
      return rows.length > 0;
    });
    await change.commit().execute();
    await untilDelivered(service);
    const order = arrivals(receiver.accepted).get(shipmentUid) ?? [];
    expect(order).toHaveLength(2);
    expect(order).toEqual(ascending(order));
  },
);

function startProcess(options: object): Child {
  const entry = join(import.meta.dirname, 'sender-process.ts');
  const env = { ...process.env, DATABASE_URL: service.url, SENDER_OPTIONS: JSON.stringify(options) };
  return nodeProgramOfTest([entry], { env });
}

test('another sender delivers the callbacks of a killed sender after its lease, in order', {
  tags: 'long',
}, async () => {
  const leases = { ...patient, leaseMs: 600_000 };
  const killed = startProcess(leases);
  // The receiver takes every callback and answers none.
  receiver.answer = () => new Promise(() => undefined);
  const uids = await Promise.all(Array.from({ length: 4 }, () => service.shipment()));
  await Promise.all(uids.map((shipmentUid) => service.events(shipmentUid, 2)));
  await until(() => receiver.received.length >= 4);
  await killed.kill();
  const before = receiver.received.length;
  receiver.answer = () => 200;
  await sql`update callback_queue set due_at = now()`.execute(service.database);
  service.sender(leases);
  await untilDelivered(service);
  const order = arrivals(receiver.received);
  expect(order.size).toBe(4);
  for (const events of order.values()) {
    expect(events).toHaveLength(3);
    expect(events).toEqual(ascending(events));
  }
  // The callbacks under way when the sender died came once more, with the same ids.
  const repeated = receiver.received
    .slice(before)
    .filter(({ id }) => receiver.received.slice(0, before).some((former) => former.id === id));
  expect(new Set(repeated.map(({ shipmentUid }) => shipmentUid)).size).toBe(4);
});

test('an attempt that could last longer than its lease is not begun: another sender may have the shipment by then', async () => {
  await service.shipment();
  const leases = new Set<string>();
  service.sender({ timeoutMs: 60_000, leaseMs: 50 });
  await until(async () => {
    const row = await service.database.selectFrom('callback_queue').select('lease_id').executeTakeFirst();
    if (row?.lease_id) leases.add(row.lease_id);
    return leases.size > 2;
  });
  expect(receiver.received).toEqual([]);
});

test('a lease that another sender has is not touched before it ends', { tags: 'long' }, async () => {
  receiver.answer = () => new Promise(() => undefined);
  service.sender(patient);
  await service.shipment();
  await until(() => receiver.received.length === 1);
  receiver.answer = () => 200;
  service.sender({ ...patient, pollMs: 20 });
  const other = await service.shipment();
  await untilDelivered(service, other);
  expect(receiver.received).toHaveLength(2);
});

eachSampled(
  test,
  [0, 1],
  2,
  1,
)(
  'a sender that finds nothing to do waits for the first lease of the others to end, after %i failed attempts',
  async (attempts) => {
    for (let count = 0; count < 2; count++) await service.shipment();
    const claim = (leaseMs: number) =>
      claimCallbacks(service.database, new Map(), { parallel: 9, parallelRepeated: 9, total: 1, leaseMs });
    await sql`update callback_queue set attempts = ${attempts}`.execute(service.database);
    for (const leaseMs of [500_000, 60_000]) expect((await claim(leaseMs)).callbacks).toHaveLength(1);
    const { callbacks, untilNextMs } = await claim(60_000);
    expect(callbacks).toEqual([]);
    expect(untilNextMs).toBeGreaterThan(0);
    expect(untilNextMs).toBeLessThanOrEqual(60_000);
  },
);
