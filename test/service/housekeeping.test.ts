// What a running service forgets by itself, now and then: keys, failures, events and held lockers beyond their time.
import { type Kysely, sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { startHousekeeping } from '../../service/housekeeping.ts';
import { createLog } from '../../service/log.ts';
import { readSettings } from '../../service/settings.ts';
import type { Database } from '../../service/storage/database.ts';
import { withDatabase } from '../support/database.ts';

afterEach(() => void vi.useRealTimers());

/** Of each kind one that is past its time and one that is not. */
async function fill(database: Kysely<Database>): Promise<void> {
  await sql`
    insert into idempotency_keys (tenant_id, operation, key_hash, request_hash, response, created_at)
    select 1, 'CreateLocalShipment', key::bytea, '', '{}', now() - age
    from (values ('old', interval '25 hours'), ('young', interval '23 hours')) as of (key, age)
  `.execute(database);
  await sql`
    insert into shipment_events (tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type,
      pup_uid, created_at, is_pending, delivered_at)
    select 1, 1, uid, 'Completed', now(), 'LocalPupShipment', 'pup-central', now() - age, false, now() - age
    from (values ('old', interval '401 days'), ('young', interval '399 days')) as of (uid, age)
  `.execute(database);
  await sql`
    insert into callback_failures (event_id, slot, attempt, failed_at, milliseconds, error)
    select event_id, slot, 1, now() - age, 1, error
    from shipment_events,
      (values (1, interval '31 days', 'old'), (2, interval '29 days', 'young')) as of (slot, age, error)
    where shipment_uid = 'young'
  `.execute(database);
  await sql`
    insert into door_commands (command_id, tenant_id, pick_up_point_id, locker_id, shipment_uid, operation, request_id,
      asked_at, open_by, sent_at, outcome, settled_at, opened_at, meaning)
    select name, 1, 1, number, 'shipment', 'codeTyped', name, now() - age, now() - age, now() - age, outcome,
      case when outcome is not null then now() - age end, case when outcome = 'Opened' then now() - age end, meaning
    from (values ('old opened', 1, interval '31 days', 'Opened', 'Next'), ('young', 2, interval '29 days', 'Opened', 'Next'),
      ('old shut', 3, interval '31 days', 'StayedShut', null), ('unsettled', 4, interval '500 days', null, null),
      ('stale', 5, interval '399 days', 'Opened', 'Stale'), ('old stale', 6, interval '401 days', 'Opened', 'Stale'))
      as of (name, number, age, outcome, meaning)
  `.execute(database);
}

async function left(database: Kysely<Database>): Promise<unknown[]> {
  const { rows } = await sql<{ what: string }>`
    select encode(key_hash, 'escape') as what from idempotency_keys union all select error from callback_failures
    union all select shipment_uid from shipment_events
    union all (select command_id from door_commands order by locker_id)
  `.execute(database);
  return rows.map(({ what }) => what);
}

const TEN_MINUTES_MS = 10 * 60_000;

test('every ten minutes old data is deleted, and a failed run is logged and tried again', () =>
  withDatabase(async ({ database, url }) => {
    await fill(database);
    const warnings: string[] = [];
    const log = createLog('warn', { write: (line) => void warnings.push(line) });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stop = startHousekeeping(readSettings({ DATABASE_URL: url }), database, log);
    await database.schema.alterTable('callback_failures').renameTo('elsewhere').execute();
    vi.advanceTimersByTime(TEN_MINUTES_MS);
    await vi.waitUntil(() => warnings.length > 0, { timeout: 30_000 });
    expect(warnings[0]).toContain('old data was not deleted');
    await database.schema.alterTable('elsewhere').renameTo('callback_failures').execute();
    vi.advanceTimersByTime(TEN_MINUTES_MS);
    // It ends what has begun.
    await stop();
    expect(warnings).toHaveLength(1);
    expect(await left(database)).toEqual([
      ...['young', 'young', 'young'],
      ...['young', 'unsettled', 'stale'],
    ]);
  }));
