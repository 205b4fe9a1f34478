// How a sender learns that a callback is due: by a notification, or by polling if none comes, and never in a busy loop.
import { setTimeout as delay } from 'node:timers/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Reply } from '../../../support/caller.ts';
import { bySuite, isLongSuite } from '../../../support/suite.ts';
import { until, untilDelivered, useServiceForEachTest } from '../support.ts';

const { service, receiver } = useServiceForEachTest();

const HOUR = 3_600_000;
const neverPolls = { pollMs: HOUR, pollDeafMs: HOUR };

async function listeners(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where application_name = 'lockerflow-callbacks' and datname = current_database() and query like 'LISTEN%'
  `.execute(service.database);
  return rows.map(({ pid }) => pid);
}

test('a notification alone wakes a sender', async () => {
  service.sender(neverPolls);
  await until(async () => (await listeners()).length === 1);
  await service.shipment();
  await untilDelivered(service);
});

test.runIf(isLongSuite)('every change of a state wakes a sender', async () => {
  const { call } = service;
  const booking = {
    pupUid: 'pup-central',
    dimension: { width: 10, height: 10, length: 10 },
    allowLargerLockers: true,
    allowOverflowLockers: false,
  };
  service.sender(neverPolls);
  await until(async () => (await listeners()).length === 1);
  const tellsOf = async (callbacks: number, change: Promise<Reply>) => {
    const before = receiver.accepted.length;
    const { body } = await change;
    expect(body).toMatchObject({ success: true });
    await until(() => receiver.accepted.length === before + callbacks);
    return String(body.shipmentUid ?? Object(body.shipmentUids)[0]);
  };
  const stock = await tellsOf(0, call('CreateLocalShipmentAsStock', booking));
  await tellsOf(1, call('UnlockShipmentLocker', { shipmentUid: stock, unlockGoal: 'DropOff' }));
  const issue = { priorShipmentUid: stock, toUserUid: 'user-anna' };
  await tellsOf(1, call('CreateLocalShipmentAsIssueFromStock', issue));
  const { body } = await call('GetShipmentAccessCode', { shipmentUid: stock });
  const { lockerName } = Object((await call('GetShipments', { pageNo: 1, pageSize: 1 })).body.items)[0];
  const access = { pupUid: 'pup-central', lockerName, pinCode: body.pickUpCode };
  await tellsOf(1, call('SimulateLockerAccess', access));
});

test.runIf(isLongSuite)('a sender listens again after its connection was cut', async () => {
  service.sender(neverPolls);
  await until(async () => (await listeners()).length === 1);
  const [former] = await listeners();
  await sql`select pg_terminate_backend(${former})`.execute(service.database);
  await until(async () => {
    const [now] = await listeners();
    return now !== undefined && now !== former;
  });
  await service.shipment();
  await untilDelivered(service);
});

test('a sender that cannot listen at all polls', async () => {
  service.sender({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere', pollMs: HOUR, pollDeafMs: 50 });
  await service.shipment();
  await untilDelivered(service);
});

test.runIf(isLongSuite)(
  'a repetition comes when it is due, without a notification and without polling',
  async () => {
    service.sender(neverPolls);
    receiver.answer = () => (receiver.received.length < 4 ? 500 : 200);
    await service.shipment();
    await untilDelivered(service);
    expect(receiver.received).toHaveLength(4);
  },
);

test('an idle sender makes almost no queries, even with many stuck, parked or waiting callbacks', async () => {
  let queries = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  receiver.answer = () => 500;
  const stuck = await Promise.all(Array.from({ length: 3 }, () => service.shipment()));
  service.sender(
    { ...neverPolls, patience: { firstMs: HOUR, lastMs: HOUR } },
    service.database.withPlugin(counting),
  );
  await until(() => receiver.received.length >= stuck.length);
  await until(async () => {
    const waiting = await service.database
      .selectFrom('callback_queue')
      .select('shipment_id')
      .where('lease_id', 'is', null)
      .where('attempts', '>', 0)
      .execute();
    return waiting.length === stuck.length;
  });
  // The queries under way end sooner or later. A busy loop would never end.
  const untilQuiet = () =>
    until(async () => {
      const before = queries;
      await delay(bySuite({ short: 100, long: 400 }));
      return queries - before <= 1;
    });
  await untilQuiet();
  await service.configure({ url: null, authType: 'None' });
  await sql`update callback_queue set due_at = now()`.execute(service.database);
  await untilQuiet();
});
