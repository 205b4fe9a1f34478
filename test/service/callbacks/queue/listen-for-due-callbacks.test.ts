// How a sender learns that a callback is due: by a notification, or by polling if none comes, and never in a busy loop.
import { setTimeout as delay } from 'node:timers/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { test } from 'vitest';
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

test('a sender listens again after its connection was cut', { tags: 'long' }, async () => {
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

test('an idle sender makes almost no queries, even with many stuck, unmatched or waiting callbacks', async () => {
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
      await delay(200);
      return queries - before <= 1;
    });
  await untilQuiet();
  await service.configure({ url: null, authType: 'None' });
  await sql`update callback_queue set due_at = now()`.execute(service.database);
  await untilQuiet();
});
