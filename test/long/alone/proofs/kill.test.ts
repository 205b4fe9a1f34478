// @module-tag invariant
// The service's process is killed in the middle of its work, again and again (in the long suite its Postgres too): what
// was acknowledged is there, what was repeated was done once, no locker is held by nothing, no event is missing.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../../../local/ports.ts';
import { startPostgres } from '../../../../local/postgres/postgres.ts';
import { seedDemoData } from '../../../../service/demo-data.ts';
import { type Database, openDatabase } from '../../../../service/storage/database.ts';
import { migrate } from '../../../../service/storage/migrate.ts';
import { startLoad, type Tally } from '../../../proofs/load.ts';
import { callerAs } from '../../../support/caller.ts';
import { wrongInDatabase } from '../../../support/chains/stored-invariants.ts';
import { createDatabase } from '../../../support/database.ts';
import { addPickUpPoint } from '../../../support/new-pick-up-point.ts';
import { startReceiver, type TestReceiver } from '../../../support/receiver.ts';
import { type ServiceProcess, startServiceProcess } from '../../../support/service-process.ts';

const KILLS = 10;
const WORKERS = 12;
/** Between two kills, so that each comes in the middle of work. */
const ANSWERS_BETWEEN = 200;
// A killed sender's callbacks are another's when its lease is over: the time-out and 10 s.
const DELIVERED_WITHIN_MS = 60_000;

const pupUids = ['pup-kill', 'pup-end'];

test(`killed ${KILLS} times in the middle of load the service loses and doubles nothing`, async () => {
  await using testDatabase = await createDatabase();
  const { url, database } = testDatabase;
  await using receiver = await startReceiver();
  const variables = await variablesFor(url);
  const running = { service: await startServiceProcess(variables) };
  onTestFinished(() => running.service.kill());
  await prepare(database, running.service, receiver);
  await killInTheMiddle(database, running.service.address, KILLS, async () => {
    await running.service.kill();
    running.service = await startServiceProcess(variables);
  });
  await expectAllDelivered(database, receiver);
});

test('with its Postgres killed in the middle of load the service loses and doubles nothing', {
  tags: 'long',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-kill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = { folder, port: await freePort() };
  const running = { postgres: await startPostgres(options) };
  onTestFinished(() => running.postgres.stop());
  const { url } = running.postgres;
  await migrate(url);
  const database = openDatabase({ url, connections: 20, onBrokenConnection: () => undefined });
  onTestFinished(() => database.destroy());
  await seedDemoData(database);
  await using receiver = await startReceiver();
  const service = await startServiceProcess(await variablesFor(url));
  onTestFinished(() => service.kill());
  await prepare(database, service, receiver);
  await killInTheMiddle(database, service.address, 5, async () => {
    const [pid] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await running.postgres.ended;
    running.postgres = await startPostgres(options);
  });
  expect(service.lastLines, 'the service has ended by itself').toBe(undefined);
  await expectAllDelivered(database, receiver);
});

async function variablesFor(url: string): Promise<Record<string, string>> {
  return {
    DATABASE_URL: url,
    // The same after each restart, so that callers find it again and its tokens stay good.
    SERVICE_PORT: String(await freePort()),
    SERVICE_TOKEN_LIFETIME_SECONDS: '86400',
    SERVICE_CALLBACK_TIMEOUT_SECONDS: '1',
    SERVICE_LOG_LEVEL: 'info',
  };
}

async function prepare(
  database: Kysely<Database>,
  { address }: ServiceProcess,
  { url }: TestReceiver,
): Promise<void> {
  await addPickUpPoint(database, 'demo', 'pup-kill', { S: 6, M: 4, L: 2 });
  await addPickUpPoint(database, 'demo', 'pup-end', { S: 3, L: 1 });
  const call = await callerAs(address);
  expect((await call('ConfigureCallback', { url, authType: 'None' })).body).toMatchObject({ success: true });
}

async function killInTheMiddle(
  database: Kysely<Database>,
  address: string,
  kills: number,
  kill: () => Promise<void>,
): Promise<void> {
  const call = await callerAs(address);
  let over = false;
  const load = startLoad({ database, call, pupUids, workers: WORKERS, isOver: () => over });
  const { tally, done } = load;
  for (let killed = 0; killed < kills; killed++) {
    await untilAnswered(tally, tally.answers + ANSWERS_BETWEEN, done);
    await kill();
    expect(await wrongInDatabase(database)).toEqual([]);
  }
  await untilAnswered(tally, tally.answers + ANSWERS_BETWEEN, done);
  over = true;
  await done;
  expect(tally.wrong).toEqual([]);
  expect(tally.repeated, 'calls that a kill cut off').toBeGreaterThan(0);
  expect(await wrongInDatabase(database)).toEqual([]);
  // All that was acknowledged is there, and nothing else: no call that was repeated booked twice.
  const stored = await database.selectFrom('shipments').select('shipment_uid').execute();
  expect(stored.map(({ shipment_uid }) => shipment_uid).sort()).toEqual([...tally.booked].sort());
}

async function untilAnswered(tally: Tally, answers: number, done: Promise<unknown>): Promise<void> {
  const failed = done.then(() => undefined);
  const reached = vi.waitUntil(() => tally.answers >= answers, { timeout: 120_000, interval: 5 });
  await Promise.race([reached, failed]);
}

/** Every event reached the receiver at least once, those of one shipment first in their order. */
async function expectAllDelivered(database: Kysely<Database>, receiver: TestReceiver): Promise<void> {
  await vi.waitUntil(
    async () =>
      (await sql`select from shipment_events where is_pending limit 1`.execute(database)).rows.length === 0,
    { timeout: DELIVERED_WITHIN_MS, interval: 200 },
  );
  const events = await database
    .selectFrom('shipment_events')
    .select(['shipment_uid', 'state_code'])
    .orderBy('event_id')
    .execute();
  const seen = new Set<string>();
  const first = receiver.accepted.filter(({ id }) => !seen.has(id) && seen.add(id));
  const told = Map.groupBy(first, ({ shipmentUid }) => shipmentUid);
  const recorded = Map.groupBy(events, (event) => event.shipment_uid);
  expect(told.size).toBe(recorded.size);
  for (const [uid, own] of recorded)
    expect(told.get(uid)?.map(({ stateCode }) => stateCode)).toEqual(own.map((event) => event.state_code));
}
