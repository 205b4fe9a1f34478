// Callbacks delivered per second by one sender, without and with 20,000 stuck shipments of the same tenant (goal: at
// least 0.8 of without). Rounds alternate, so that whatever else the machine does falls on all of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { newKeyLine } from '../../runtime/settings/key-ring.ts';
import { CallbackKeys } from '../../service/callbacks/configuration/callback-keys.ts';
import { startCallbackSender } from '../../service/callbacks/delivery/callback-sender.ts';
import { seedDemoData } from '../../service/demo-data.ts';
import { createLog } from '../../service/log.ts';
import { readSettings } from '../../service/settings.ts';
import { type Database, openDatabase } from '../../service/storage/database.ts';
import { migrate } from '../../service/storage/migrate.ts';
import { inTransaction } from '../../service/storage/transaction.ts';
import { SwitchBoard } from '../../service/switches/switch-board.ts';
import { startAnswering } from './local-process.ts';
import { percentile, printTable } from './table.ts';

const CALLBACKS = 3_000;
const STUCK = 20_000;
const ROUNDS = 7;

/** What the stuck shipments do: there are none; each is tried at most every 10 min; all fall due at once. */
const stuckStories = ['none', 'waiting', 'all due'] as const;
type StuckStory = (typeof stuckStories)[number];

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const postgres = await startPostgres({ folder, port: 0 });
await migrate(postgres.url);
const settings = readSettings({
  DATABASE_URL: postgres.url,
  SERVICE_MODE: 'staging',
  SERVICE_ENCRYPTION_KEY: newKeyLine(),
});
const database = openDatabase({ url: postgres.url, connections: 10, onBrokenConnection: () => undefined });
await seedDemoData(database);
const receiver = await startAnswering(['tools/bench/callback-receiver.ts']);
await inTransaction(database, async (transaction) => {
  const { rows } = await sql<{ tenant_id: number }>`
    insert into callback_configurations (tenant_id, url, auth_type)
    select tenant_id, ${`http://127.0.0.1:${receiver.up}/callbacks`}, 'HMAC' from tenants where tenant_uid = 'demo'
    returning tenant_id
  `.execute(transaction);
  for (const { tenant_id } of rows)
    await new CallbackKeys(transaction, tenant_id, {
      encryption: settings.encryption,
      overlapMs: 0,
    }).set('Signing', { given: undefined, reset: true });
});

const log = createLog('error');
const rates = new Map<StuckStory, number[]>(stuckStories.map((story) => [story, []]));
for (let round = 0; round < ROUNDS; round++)
  for (const story of stuckStories) rates.get(story)?.push(await callbacksPerSecond(story));

// Each round has its own: what slows the machine down slows down a whole round.
const ofNone = (all: readonly number[]) => all.map((rate, round) => rate / (rates.get('none')?.[round] ?? 0));
printTable(
  [...rates].map(([story, all]) => ({
    [`${STUCK} stuck shipments`]: story,
    'callbacks/s': Math.round(percentile(all, 0.5)),
    'each round': all.map(Math.round).join(' '),
    'of none': percentile(ofNone(all), 0.5).toFixed(2),
  })),
);

await receiver[Symbol.asyncDispose]();
await database.destroy();
await postgres.stop();
await rm(folder, { recursive: true, force: true });

async function callbacksPerSecond(story: StuckStory): Promise<number> {
  await sql`truncate callback_queue, callback_failures, shipment_events`.execute(database);
  if (story !== 'none') await addCallbacks(database, 'stuck', STUCK);
  await sql`
    update callback_queue
    set attempts = 10, due_at = now() + ${story === 'waiting' ? 600 : 0} * random() * interval '1 second'
  `.execute(database);
  const switchBoard = new SwitchBoard(database, 'staging');
  const dependencies = { database, switchBoard, log };
  await sql`vacuum analyze callback_queue, shipment_events`.execute(database);
  const sender = startCallbackSender(settings, dependencies);
  await delay(1_000);
  const start = performance.now();
  await addCallbacks(database, 'fresh', CALLBACKS);
  await sql`select pg_notify('callbacks_due', '')`.execute(database);
  while ((await freshPending()) > 0) await delay(20);
  const seconds = (performance.now() - start) / 1_000;
  await sender.stop();
  return CALLBACKS / seconds;
}

async function freshPending(): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*) as pending from callback_queue where shipment_id > ${STUCK}
  `.execute(database);
  return rows[0]?.pending ?? 0;
}

/** One callback each of so many shipments; the fresh ones have the ids after the stuck ones. */
async function addCallbacks(into: Kysely<Database>, name: 'stuck' | 'fresh', count: number): Promise<void> {
  const first = name === 'stuck' ? 1 : STUCK + 1;
  await sql`
    with recorded as (
      insert into shipment_events (tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type,
        pup_uid, is_pending)
      select tenant_id, id, ${name} || '-' || id, 'ReadyForPickup', now(), 'LocalPupShipment', 'pup-central', true
      from tenants, generate_series(${first}::bigint, ${first + count - 1}::bigint) as id
      where tenant_uid = 'demo'
      returning shipment_id, tenant_id
    )
    insert into callback_queue (shipment_id, tenant_id, due_at) select shipment_id, tenant_id, now() from recorded
  `.execute(into);
}
