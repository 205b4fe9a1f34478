// ConfigureCallback (assumptions: Reading; Callbacks): where and how a tenant is told of its shipments' changes. A url of null stops
// that: what is pending is held until there is one again, what happens meanwhile is recorded and never sent.
import { randomBytes } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Request, Response } from '../../../contract/index.ts';
import type { Context, Handler } from '../../handler.ts';
import { answerOnce } from '../../idempotency.ts';
import { Refusal } from '../../refusal.ts';
import type { CallbackConfigurationTable } from '../../storage/callback-tables.ts';
import type { Database } from '../../storage/database.ts';
import { requireCallbackAddress } from './require-callback-address.ts';

// As Standard Webhooks recommends: 24 to 64 bytes.
const KEY_BYTES = 32;

export const configureCallback: Handler<'ConfigureCallback'> = async (request, context) => {
  requireKey(request);
  if (request.url !== null)
    await requireCallbackAddress(request.url, context.settings.callbacks.privateHosts);
  return answerOnce(context, request, (transaction) => configure(transaction, request, context));
};

function requireKey({ authType, authKey, resetKey }: Request<'ConfigureCallback'>): void {
  if (authKey && resetKey)
    throw new Refusal(
      'InvalidRequest',
      'authKey, resetKey: expected at most one: a key of yours, or a new one',
    );
  if (authKey && authType === 'ApiKey' && !/^[\x21-\x7e]+$/.test(authKey))
    throw new Refusal(
      'InvalidRequest',
      'authKey: is sent as a header with ApiKey, expected visible ASCII characters',
    );
}

type Configuration = Selectable<CallbackConfigurationTable>;

async function configure(
  transaction: Transaction<Database>,
  { url, authType, authKey: givenKey, resetKey }: Request<'ConfigureCallback'>,
  { tenantId, settings }: Context,
): Promise<Response<'ConfigureCallback'>> {
  const before = await lockedConfiguration(transaction, tenantId);
  // Standard Webhooks signatures are always there, so there is a key with every authType.
  const isNewKey = resetKey === true || (!givenKey && before.auth_key === null);
  const authKey = isNewKey
    ? `whsec_${randomBytes(KEY_BYTES).toString('base64')}`
    : (givenKey ?? before.auth_key);
  const keyChanged = authKey !== before.auth_key;
  await transaction
    .updateTable('callback_configurations')
    .set({
      url,
      auth_type: authType,
      auth_key: authKey,
      ...(keyChanged && {
        former_auth_key: before.auth_key,
        former_auth_key_until: sql<Date>`now() + ${settings.callbacks.keyOverlapMs}::float8 * interval '1 millisecond'`,
      }),
    })
    .where('tenant_id', '=', tenantId)
    .execute();
  if (url !== null) await beginAgain(transaction, tenantId);
  return {
    url,
    authType,
    changed: url !== before.url || authType !== before.auth_type || keyChanged,
    authKey: isNewKey ? authKey : null,
  };
}

async function lockedConfiguration(
  transaction: Transaction<Database>,
  tenantId: number,
): Promise<Configuration> {
  await transaction
    .insertInto('callback_configurations')
    .values({ tenant_id: tenantId })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
  return transaction
    .selectFrom('callback_configurations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** How the receiver did before says nothing of it now: all that is pending is due at once. */
async function beginAgain(transaction: Transaction<Database>, tenantId: number): Promise<void> {
  await sql`delete from callback_outages where tenant_id = ${tenantId}`.execute(transaction);
  await sql`
    update callback_queue set due_at = now()
    where shipment_id in (
      select shipment_id from callback_queue where tenant_id = ${tenantId} and lease_id is null
      order by shipment_id for no key update skip locked)
  `.execute(transaction);
  await sql`select pg_notify('callbacks_due', '')`.execute(transaction);
}
