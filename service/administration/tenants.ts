// Operators make tenants. A second call with the same arguments has no effect.
import { type Kysely, sql, type Transaction } from 'kysely';
import { keptEmailAddress } from '../accounts/email-address.ts';
import type { Database } from '../storage/database.ts';

interface NewTenant {
  readonly tenantUid: string;
  readonly name: string;
  /** The main account: the dispatcher, if a shipment names no other party. */
  readonly mainAccount: { readonly userUid: string; readonly emailAddress: string };
}

/** Gives the tenant's id, and whether this call made it. Does not change an existing tenant. */
export async function ensureTenant(
  transaction: Transaction<Database>,
  { tenantUid, name, mainAccount }: NewTenant,
): Promise<{ readonly tenantId: number; readonly created: boolean }> {
  // The tenant and its main account refer to each other: the account's id is drawn first, the check is deferred.
  const created = await transaction
    .insertInto('tenants')
    .values({
      tenant_uid: tenantUid,
      name,
      main_account_id: sql<number>`nextval(pg_get_serial_sequence('accounts', 'account_id'))`,
    })
    .onConflict((conflict) => conflict.column('tenant_uid').doNothing())
    .returning(['tenant_id', 'main_account_id'])
    .executeTakeFirst();
  if (!created) return { tenantId: await tenantIdOf(transaction, tenantUid), created: false };
  await insertMainAccount(transaction, created.main_account_id, name, mainAccount);
  return { tenantId: created.tenant_id, created: true };
}

async function insertMainAccount(
  transaction: Transaction<Database>,
  accountId: number,
  tenantName: string,
  { userUid, emailAddress: given }: NewTenant['mainAccount'],
): Promise<void> {
  const emailAddress = keptEmailAddress(given);
  const made = await transaction
    .insertInto('accounts')
    .values({
      account_id: accountId,
      user_uid: userUid,
      user_name: emailAddress,
      email_address: emailAddress,
      first_name: tenantName,
      last_name: '',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst();
  // Accounts are shared over tenants and their e-mail addresses unique (interface: What the service does).
  if (!made)
    throw new Error(
      `Another account has the e-mail address or user name ${emailAddress}: choose another e-mail address`,
    );
}

export async function tenantIdOf(database: Kysely<Database>, tenantUid: string): Promise<number> {
  const tenant = await database
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_uid', '=', tenantUid)
    .executeTakeFirst();
  if (!tenant) throw new NotFound(`There is no tenant ${tenantUid}`);
  return tenant.tenant_id;
}

export const allTenants = (transaction: Transaction<Database>) =>
  transaction
    .selectFrom('tenants as tenant')
    .innerJoin('accounts as account', 'account.account_id', 'tenant.main_account_id')
    .select(['tenant.tenant_uid as tenantUid', 'tenant.name', 'account.user_uid as mainUserUid'])
    .orderBy('tenant.tenant_uid')
    .execute();

/** A command names something that does not exist or belongs to another tenant: to a command both are the same. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}
