// RemoveAccount (interface: Account management; assumptions: Accounts and upload): personal data is erased, the uid stays
// in the account's shipments.
import { type Kysely, sql } from 'kysely';
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import { activeStateCodes } from '../storage/active-state-codes.ts';
import type { Database } from '../storage/database.ts';
import { type Account, lockManagedAccount } from './account.ts';

export const removeAccount: Handler<'RemoveAccount'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { userUid } = request;
    const account = await lockManagedAccount(transaction, context.tenantId, userUid);
    await requireNoMainAccount(transaction, account);
    await lockAccountForRemoval(transaction, userUid);
    await requireNoActiveShipment(transaction, context.tenantId, account);
    await erase(transaction, account);
    await forgetAnswers(transaction, context.tenantId, userUid);
    return {};
  });

async function requireNoMainAccount(transaction: Kysely<Database>, { accountId }: Account): Promise<void> {
  const tenant = await transaction
    .selectFrom('tenants')
    .select('tenant_id')
    .where('main_account_id', '=', accountId)
    .executeTakeFirst();
  if (tenant)
    throw new Refusal('AccountInUse', 'The account is the main account of a tenant, and cannot be removed');
}

/** Waits for bookings under way: each holds its accounts until it is committed (hold_accounts). */
async function lockAccountForRemoval(transaction: Kysely<Database>, userUid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(account_lock(${userUid}))`.execute(transaction);
}

/**
 * Only for this tenant. Another tenant's shipments neither hold up the erasure nor are revealed by it: they go on with a user
 * without personal data.
 */
async function requireNoActiveShipment(
  transaction: Kysely<Database>,
  tenantId: number,
  { accountId }: Account,
): Promise<void> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from shipments where tenant_id = ${tenantId}
      and state_code in (${activeStateCodes}) and from_account_id = ${accountId})
      or exists (select from shipments where tenant_id = ${tenantId}
      and state_code in (${activeStateCodes}) and to_account_id = ${accountId}) as used
  `.execute(transaction);
  if (rows[0]?.used)
    throw new Refusal('AccountInUse', 'The account has active shipments: remove it when they have ended');
}

/** Every column with personal data, and so everything by which the account can be found. */
async function erase(transaction: Kysely<Database>, { accountId }: Account): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set({
      user_name: null,
      first_name: null,
      last_name: null,
      email_address: null,
      phone_number: null,
      language_code: null,
      street_name: null,
      street_no: null,
      mailbox: null,
      city: null,
      country_code: null,
      main_pick_up_point_id: null,
      mail_code: null,
      removed_at: sql`now()`,
    })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * The answers kept for repeated requests hold the account's data too. Only its managing tenant ever got such
 * answers.
 */
async function forgetAnswers(
  transaction: Kysely<Database>,
  tenantId: number,
  userUid: string,
): Promise<void> {
  await transaction
    .deleteFrom('idempotency_keys')
    .where('tenant_id', '=', tenantId)
    .where('operation', 'in', ['CreateAccount', 'CreateOrGetAccount', 'SetAccountDetails'])
    .where(sql`response ->> 'userUid'`, '=', userUid)
    .execute();
}
