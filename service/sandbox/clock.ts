// GET and POST /sandbox/clock: the tenant's clock, which it can move ahead, and the processes outside that go by it.
// What happens to the tenant's shipments has the time of this clock (storage/functions/ahead-clock.sql). A move is one
// jump: `lockerflow clock advance` makes it in steps, from one moment at which something is due to the next.

import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { clockChange, type SandboxClock, sandboxClock } from '../../contract/index.ts';
import { ApiError } from '../api-error.ts';
import { wakeSenders } from '../due-callbacks.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import { sandboxRoute } from './sandbox-route.ts';

// Ten years: moments far from today are for tests of the fields themselves.
const FURTHEST_DAYS = 3_653;
// A flow that has ended leaves when the clock is moved. More than these at one time is a test of load, not of time.
const MAX_FOLLOWERS = 10_000;

export const showClock = sandboxRoute({
  method: 'GET',
  path: '/sandbox/clock',
  meaning: "Shows the time of the tenant's clock, and what is due next",
  input: z.object({}),
  example: {},
  answer: sandboxClock,
  handle: (_, { database, tenantId }) => clockOf(database, tenantId),
});

export const changeClock = sandboxRoute({
  method: 'POST',
  path: '/sandbox/clock',
  meaning: "Moves the tenant's clock ahead, and changes who goes by it",
  input: clockChange,
  example: { advance: 'P3D' },
  answer: sandboxClock,
  handle: ({ advance, follow, leave }, { database, tenantId }) =>
    inTransaction(database, async (transaction) => {
      if (leave)
        await sql`
          delete from sandbox_clock_followers where tenant_id = ${tenantId} and name = any(${leave})
        `.execute(transaction);
      if (follow !== undefined) await addFollower(transaction, tenantId, follow);
      if (advance !== undefined) await moveAhead(transaction, tenantId, advance);
      return clockOf(transaction, tenantId);
    }),
});

async function addFollower(transaction: Transaction<Database>, tenantId: number, name: string) {
  // The lock is that of a move: a process that begins is told the time of before it, or follows it.
  await lockClock(transaction, tenantId);
  const { numAffectedRows = 0n } = await sql`
    insert into sandbox_clock_followers (tenant_id, name)
    select ${tenantId}, ${name}
    where (select count(*) from sandbox_clock_followers where tenant_id = ${tenantId}) < ${MAX_FOLLOWERS}
      or exists (select from sandbox_clock_followers where tenant_id = ${tenantId} and name = ${name})
    on conflict (tenant_id, name) do update set name = excluded.name
  `.execute(transaction);
  if (numAffectedRows === 0n)
    throw new ApiError(
      'InvalidRequest',
      `follow: ${MAX_FOLLOWERS.toLocaleString('en')} processes go by this clock already; let those that have ended leave`,
    );
}

const lockClock = (transaction: Transaction<Database>, tenantId: number) =>
  sql`
    insert into sandbox_clocks as clock (tenant_id, ahead_ms) values (${tenantId}, 0)
    on conflict (tenant_id) do update set ahead_ms = clock.ahead_ms
  `.execute(transaction);

async function moveAhead(transaction: Transaction<Database>, tenantId: number, advance: string) {
  await lockClock(transaction, tenantId);
  const { rows } = await sql<{ ms: number; is_too_far: boolean }>`
    update sandbox_clocks as clock set ahead_ms = ahead_ms + step.ms
    from (select (extract(epoch from ${advance}::interval) * 1000)::bigint as ms) as step
    where tenant_id = ${tenantId}
    returning step.ms, ahead_ms > ${FURTHEST_DAYS} * 86400000::bigint as is_too_far
  `.execute(transaction);
  const [moved] = rows;
  if (!moved || moved.is_too_far)
    throw new ApiError(
      'InvalidRequest',
      'advance: the clock may be at most ten years ahead of the real time; POST /sandbox/reset puts it back',
    );
  await sql`
    insert into sandbox_clock_moves (tenant_id, ahead_ms, moved_at)
    select tenant_id, ahead_ms, clock_timestamp() from sandbox_clocks where tenant_id = ${tenantId} and ahead_ms > 0
    on conflict (tenant_id, ahead_ms) do nothing
  `.execute(transaction);
  await bringNearer(transaction, tenantId, sql`${moved.ms}::bigint * interval '1 millisecond'`);
}

/** What waits for its time waits that much less. Attempts under way have their real time. */
async function bringNearer(
  transaction: Transaction<Database>,
  tenantId: number,
  by: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    update callback_queue set due_at = due_at - ${by} where tenant_id = ${tenantId} and lease_id is null
  `.execute(transaction);
  await sql`
    update callback_outages set probe_at = probe_at - ${by}, first_try_at = first_try_at - ${by}
    where tenant_id = ${tenantId} and not exists (
      select from callback_queue where tenant_id = ${tenantId} and lease_id is not null and due_at > now())
  `.execute(transaction);
  await wakeSenders(transaction);
}

interface Row extends Omit<SandboxClock, 'now' | 'next'> {
  readonly now: Date;
  readonly shipmentUid: string | null;
  readonly attempt: number;
  readonly dueAt: Date;
  readonly dueInMs: number;
}

async function clockOf(
  database: Kysely<Database> | Transaction<Database>,
  tenantId: number,
): Promise<SandboxClock> {
  const { rows } = await sql<Row>`
    with pending as materialized (
      select queue.shipment_id, queue.attempts + 1 as attempt,
        queue.lease_id is not null and queue.due_at > clock_timestamp() as is_leased,
        greatest(queue.due_at, case when queue.attempts = 0 then outage.first_try_at else outage.probe_at end) as due_at
      from callback_queue as queue
      join callback_configurations as configuration using (tenant_id)
      left join callback_outages as outage using (tenant_id)
      where queue.tenant_id = ${tenantId} and configuration.url is not null
    )
    select clock_timestamp() + clock_ahead(${tenantId}) as now,
      (extract(epoch from clock_ahead(${tenantId})) * 1000)::bigint as "aheadMs",
      (select count(*) from pending where is_leased or due_at <= clock_timestamp()) as "underWay",
      (select shipment_uid from shipments where shipment_id = next.shipment_id) as "shipmentUid",
      next.attempt, next.due_at + clock_ahead(${tenantId}) as "dueAt",
      extract(epoch from next.due_at - clock_timestamp())::float8 * 1000 as "dueInMs",
      coalesce((select max(event_id) from shipment_events where tenant_id = ${tenantId}), 0) as "lastEventId",
      array(select name from sandbox_clock_followers where tenant_id = ${tenantId} order by name) as followers
    from (select) as always
    left join lateral (
      select * from pending where not is_leased and due_at > clock_timestamp() order by due_at limit 1
    ) as next on true
  `.execute(database);
  const [row] = rows;
  if (!row) throw new TypeError('expected one row of the clock');
  const { now, shipmentUid, attempt, dueAt, dueInMs, ...clock } = row;
  const next = shipmentUid && { shipmentUid, attempt, at: dueAt.toISOString(), inMs: Math.max(0, dueInMs) };
  return { ...clock, now: now.toISOString(), next: next || null };
}

/** Back to the real time, for a tenant whose shipments are deleted. */
export async function putClockBack(transaction: Transaction<Database>, tenantId: number): Promise<void> {
  await sql`
    update callback_keys set valid_until = valid_until - clock_ahead(${tenantId})
    where tenant_id = ${tenantId} and valid_until is not null
  `.execute(transaction);
  await sql`delete from sandbox_clock_followers where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from sandbox_clock_moves where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from sandbox_clocks where tenant_id = ${tenantId}`.execute(transaction);
}
