// Tenants as those who run the service make them. Each function may be called again with the same without effect.
import { sql, type Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';

export interface NewTenant {
  readonly tenantUid: string;
  readonly name: string;
  /** The main account: the dispatcher, where a shipment names no other party. */
  readonly mainAccount: { readonly userUid: string; readonly emailAddress: string };
}

/** Gives the tenant's id, and whether it was made now. An existing tenant stays as it is. */
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
  await transaction
    .insertInto('accounts')
    .values({
      account_id: created.main_account_id,
      user_uid: mainAccount.userUid,
      user_name: mainAccount.emailAddress,
      email_address: mainAccount.emailAddress,
      first_name: name,
      last_name: '',
    })
    .execute();
  return { tenantId: created.tenant_id, created: true };
}

export async function tenantIdOf(transaction: Transaction<Database>, tenantUid: string): Promise<number> {
  const tenant = await transaction
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_uid', '=', tenantUid)
    .executeTakeFirst();
  if (!tenant) throw new Error(`There is no tenant ${tenantUid}`);
  return tenant.tenant_id;
}
