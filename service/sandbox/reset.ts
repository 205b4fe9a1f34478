// POST /sandbox/reset: restores the demo data. It deletes the tenant's shipments with all their data and its
// suggestions. Every locker is free and closed and works. The accounts are those of the demo data, and the clock shows the
// real time. Switches and the callback address stay.
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { demoUserUids, seedDemoTenant } from '../demo-data.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import { type Switches, switches } from '../switches/switches.ts';
import { putClockBack } from './clock.ts';
import { sandboxRoute } from './sandbox-route.ts';

export const reset = sandboxRoute({
  method: 'POST',
  path: '/sandbox/reset',
  meaning:
    'Restores the demo data: deletes shipments, events, accounts and suggestions; every locker is free',
  input: z.object({}),
  example: {},
  answer: z.object({}),
  handle: async (_, { database, tenantId, tenantUid }) => {
    await inTransaction(database, async (transaction) => {
      await lockAccounts(transaction, tenantId, tenantUid);
      await removeShipments(transaction, tenantId);
      await removeAccounts(transaction, tenantId, tenantUid);
      await removeSuggestions(transaction, tenantId);
      await putClockBack(transaction, tenantId);
      await seedDemoTenant(transaction, tenantUid);
    });
    return {};
  },
});

async function removeShipments(transaction: Transaction<Database>, tenantId: number): Promise<void> {
  // Locks every locker first, in one order: it waits for requests under way, and later ones wait for it.
  await sql`select from lockers where tenant_id = ${tenantId} order by locker_id for update`.execute(
    transaction,
  );
  const own = sql`select shipment_id from shipments where tenant_id = ${tenantId}`;
  await sql`delete from shipment_objects where shipment_id in (${own})`.execute(transaction);
  await sql`delete from callback_queue where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from shipment_events where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from shipments where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from access_codes where pick_up_point_id in
    (select pick_up_point_id from pick_up_points where tenant_id = ${tenantId})`.execute(transaction);
  await sql`delete from door_commands where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from simulated_doors where locker_id in
    (select locker_id from lockers where tenant_id = ${tenantId})`.execute(transaction);
  await sql`delete from locker_accesses where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from locker_looks where tenant_id = ${tenantId}`.execute(transaction);
  await sql`update lockers set chain_id = null, to_be_emptied = false, left_shipment_id = null, out_of_order = false
    where tenant_id = ${tenantId}`.execute(transaction);
  await sql`delete from idempotency_keys where tenant_id = ${tenantId}`.execute(transaction);
}

/** Those that the tenant manages, and those of demo users after RemoveAccount. */
const removable = (tenantId: number, tenantUid: string) => sql`(
  main_pick_up_point_id in (select pick_up_point_id from pick_up_points where tenant_id = ${tenantId})
  or (removed_at is not null and user_uid = any(${demoUserUids(tenantUid)})))`;

/** As a removal does (storage/functions/accounts.sql), and before any locker, as a booking does: none is booked for them meanwhile. */
async function lockAccounts(transaction: Transaction<Database>, tenantId: number, tenantUid: string) {
  await sql`
    select pg_advisory_xact_lock(ordered.lock)
    from (select distinct account_lock(user_uid) as lock from accounts
      where ${removable(tenantId, tenantUid)} order by 1) as ordered
  `.execute(transaction);
}

/**
 * The accounts that the tenant manages, and the rest of demo users after RemoveAccount. The main account stays, and so
 * do accounts with shipments of another tenant.
 */
async function removeAccounts(
  transaction: Transaction<Database>,
  tenantId: number,
  tenantUid: string,
): Promise<void> {
  await sql`
    delete from accounts as account
    where ${removable(tenantId, tenantUid)}
      and not exists (select from tenants where main_account_id = account.account_id)
      and not exists (select from shipments where from_account_id = account.account_id)
      and not exists (select from shipments where to_account_id = account.account_id)
  `.execute(transaction);
}

async function removeSuggestions(transaction: Transaction<Database>, tenantId: number): Promise<void> {
  await sql`
    with upload as (delete from account_suggestion_uploads where tenant_id = ${tenantId} returning upload_id)
    delete from account_suggestions using upload where account_suggestions.upload_id = upload.upload_id
  `.execute(transaction);
}

/**
 * All switches of a basic service at once: exactly the interface and none of our extras (assumptions: A bare vendor).
 */
const basicService = {
  getShipments: false,
  idempotencyKey: false,
  accessCodes: false,
  shuffledShipmentUids: true,
  plainCallbacks: true,
  standardWebhooks: false,
  accessMessages: false,
};

/** Each switch of the tenant, none of them required. */
const each = Object.fromEntries(
  Object.entries(switches.shape).map(([name, schema]) => [name, schema.unwrap().optional()]),
) as { [Name in keyof Switches]: z.ZodOptional<ReturnType<(typeof switches.shape)[Name]['unwrap']>> };

const change = z.strictObject({
  bareVendor: z
    .boolean()
    .optional()
    .describe('true: exactly the published interface. false: every switch at its default'),
  ...each,
});

export const showSwitches = sandboxRoute({
  method: 'GET',
  path: '/sandbox/switches',
  meaning: 'Shows how the service behaves towards the tenant',
  input: z.object({}),
  example: {},
  answer: switches,
  handle: async (_, { switchBoard, tenantId }) => switchBoard.of(tenantId),
});

export const setSwitches = sandboxRoute({
  method: 'POST',
  path: '/sandbox/switches',
  meaning: 'Changes how the service behaves towards the tenant. A switch that is not named stays',
  input: change,
  example: { shuffledShipmentUids: true },
  answer: switches,
  handle: async ({ bareVendor: isBasic, ...given }, { switchBoard, tenantId }) => {
    const before = isBasic === undefined ? await switchBoard.of(tenantId) : switches.parse({});
    const after = switches.parse({ ...before, ...(isBasic && basicService), ...given });
    await switchBoard.set(tenantId, after);
    return after;
  },
});
