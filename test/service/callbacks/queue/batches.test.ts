// @module-tag invariant
// A command for many callbacks at once works in steps, because one statement for all of them would take longer than the time
// limit of a statement.
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { resendCallbacks } from '../../../../service/callbacks/queue/resend-callbacks.ts';
import { forgetOldEvents, forgetOldFailures } from '../../../../service/housekeeping.ts';
import type { Database } from '../../../../service/storage/database.ts';
import { withDatabase } from '../../../support/database.ts';

const EVENTS = 12_000;

async function fill(database: Kysely<Database>): Promise<number> {
  const { tenant_id } = await database
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_uid', '=', 'demo')
    .executeTakeFirstOrThrow();
  await sql`
    insert into shipment_events (tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type,
      pup_uid, is_pending, delivered_at)
    select ${tenant_id}::bigint, n % 100, 'shipment-' || n % 100, 'Completed', now(), 'LocalPupShipment', 'pup-central',
      false, now()
    from generate_series(1, ${EVENTS}::int) as n
  `.execute(database);
  await sql`
    insert into callback_failures (event_id, slot, attempt, failed_at, milliseconds, error)
    select event_id, 1, 1, now() - interval '31 days', 1, 'answered 500' from shipment_events
  `.execute(database);
  return tenant_id;
}

async function statementsOf(words: string, work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const statements = spy.mock.calls.filter(([text]) => String(text).includes(words)).length;
  spy.mockRestore();
  return statements;
}

test('resend takes 5,000 events at a time, each once', { tags: 'long' }, () =>
  withDatabase(async ({ database }) => {
    const tenantId = await fill(database);
    const statements = await statementsOf('update shipment_events', async () =>
      expect(await resendCallbacks(database, tenantId, {})).toBe(EVENTS),
    );
    expect(statements).toBe(3);
    const { rows } = await sql`
      select count(*) filter (where is_pending) as pending, (select count(*) from callback_queue) as queued
      from shipment_events
    `.execute(database);
    expect(rows).toEqual([{ pending: EVENTS, queued: 100 }]);
    // Callbacks that are pending already are not sent again.
    expect(await resendCallbacks(database, tenantId, {})).toBe(0);
  }),
);

test('old failures are forgotten 5,000 at a time', () =>
  withDatabase(async ({ database }) => {
    await fill(database);
    expect(await statementsOf('delete from callback_failures', () => forgetOldFailures(database))).toBe(3);
    expect(await database.selectFrom('callback_failures').selectAll().execute()).toEqual([]);
  }));

test('old events are forgotten 5,000 at a time', { tags: 'long' }, () =>
  withDatabase(async ({ database }) => {
    await fill(database);
    await sql`update shipment_events set created_at = now() - interval '3 days', delivered_at = now() - interval '3 days'`.execute(
      database,
    );
    expect(await statementsOf('delete from shipment_events', () => forgetOldEvents(database, 2))).toBe(3);
    expect(await database.selectFrom('shipment_events').selectAll().execute()).toEqual([]);
  }),
);
