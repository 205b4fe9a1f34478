// ConfigureCallback (assumptions: Reading; Callbacks): where and how a tenant gets its callbacks. A url of null stops
// them: pending callbacks wait until there is a url again; events meanwhile are recorded and never sent.

import { type Selectable, sql, type Transaction } from 'kysely';
import {
  type CallbackAuthType,
  type Request,
  type Response,
  standardWebhooksKey,
} from '../../../contract/index.ts';
import { ApiError } from '../../api-error.ts';
import { wakeSenders } from '../../due-callbacks.ts';
import type { Context, Handler } from '../../handler.ts';
import { answerOnce } from '../../idempotency.ts';
import type { Database } from '../../storage/database.ts';
import { keepsApiKeySecret, requireCallbackAddress } from './callback-address.ts';
import { setCallbackKey } from './callback-keys.ts';

/** What Standard Webhooks recommends at least. A shorter text may be one that a person can guess. */
const STRONG_KEY_BYTES = 24;

export const configureCallback: Handler<'ConfigureCallback'> = async (request, context) => {
  if (request.url !== null) {
    requireSecrecy(request.url, request.authType);
    await requireCallbackAddress(request.url, context.settings.callbacks.privateHosts);
  }
  const message = warningOf(request.authKey ?? undefined, context);
  // As it is called: what a URL parser leaves out, like a line feed, is in no list of the operator either.
  const url = request.url === null ? null : new URL(request.url).href;
  return answerOnce(context, request, async (transaction) => ({
    ...(await configure(transaction, { ...request, url }, context)),
    message,
  }));
};

/** A short key may be guessed: whoever has one callback and its signature can test guesses. Throws if it is refused. */
function warningOf(authKey: string | undefined, { settings, log, tenantUid }: Context): string | undefined {
  if (authKey === undefined) return undefined;
  const bytes = standardWebhooksKey(authKey).length;
  const advice = 'choose random ones (openssl rand -base64 32), or let the service make a key (resetKey)';
  if (bytes >= STRONG_KEY_BYTES) return undefined;
  // In staging it is taken, with a warning.
  if (settings.mode === 'production')
    throw new ApiError(
      'InvalidRequest',
      `authKey: has ${bytes} bytes, must have at least ${STRONG_KEY_BYTES}: a short key can be guessed; ${advice}`,
    );
  log.warn(
    { tenant: tenantUid, bytes },
    'a tenant has chosen a callback key that is short: it can be guessed',
  );
  return `authKey: has ${bytes} bytes, fewer than ${STRONG_KEY_BYTES}, and can be guessed; ${advice}`;
}

function requireSecrecy(url: string, authType: CallbackAuthType): void {
  if (authType === 'ApiKey' && !keepsApiKeySecret(url))
    throw new ApiError(
      'InvalidRequest',
      'url: must be an https address with authType ApiKey: each callback carries the key, and plain http shows it to others',
    );
}

type Configuration = Selectable<Database['callback_configurations']>;

async function configure(
  transaction: Transaction<Database>,
  { url, authType, authKey, resetKey, ...request }: Request<'ConfigureCallback'>,
  { tenantId, settings }: Context,
): Promise<Response<'ConfigureCallback'>> {
  const before = await lockedConfiguration(transaction, tenantId);
  const extraFields = request.extraFields ?? before.extra_fields;
  const accessMessages = request.accessMessages ?? before.access_messages;
  const purpose = authType === 'ApiKey' ? 'ApiKey' : 'Signing';
  const keys = { transaction, tenantId, encryption: settings.encryption };
  const key = await setCallbackKey({
    ...keys,
    purpose,
    given: authKey ?? undefined,
    reset: resetKey === true,
  });
  // Standard Webhooks signatures are always there, so there is a key that signs with every authType.
  const signingKey =
    purpose === 'Signing' ? undefined : await setCallbackKey({ ...keys, purpose: 'Signing' });
  await transaction
    .updateTable('callback_configurations')
    .set({ url, auth_type: authType, extra_fields: extraFields, access_messages: accessMessages })
    .where('tenant_id', '=', tenantId)
    .execute();
  if (url !== null) await beginAgain(transaction, tenantId);
  return {
    url,
    authType,
    changed:
      url !== before.url ||
      authType !== before.auth_type ||
      extraFields !== before.extra_fields ||
      accessMessages !== before.access_messages ||
      key.changed ||
      signingKey?.changed === true,
    authKey: key.made,
    signingKey: signingKey?.made ?? null,
    extraFields,
    accessMessages,
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

/** The receiver's past failures no longer count: all pending callbacks are due at once. */
async function beginAgain(transaction: Transaction<Database>, tenantId: number): Promise<void> {
  await sql`delete from callback_outages where tenant_id = ${tenantId}`.execute(transaction);
  await sql`
    update callback_queue set due_at = now()
    where shipment_id in (
      select shipment_id from callback_queue where tenant_id = ${tenantId} and lease_id is null
      order by shipment_id for no key update skip locked)
  `.execute(transaction);
  await wakeSenders(transaction);
}
