// The state of delivery to one tenant: the url, whether its receiver is down, and how many shipments wait.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Encryption } from '../../encryption/encryption.ts';
import type { Database } from '../../storage/database.ts';
import { type CallbackKeyInUse, callbackKeysInUse } from '../configuration/callback-keys.ts';

export interface CallbackStatus {
  readonly url: string | null;
  readonly authType: string;
  /** Those that callbacks are sent with; null without the encryption key, which reads them. */
  readonly keys: readonly CallbackKeyInUse[] | null;
  /** Shipments with pending callbacks, and how many of them failed at least once. */
  readonly waiting: number;
  readonly stuck: number;
  readonly oldestPendingAt: Date | null;
  /** The last time that the receiver did not take the signature of a pending callback. */
  readonly refused: { readonly shipmentUid: string; readonly at: Date; readonly error: string } | null;
  /** Null: it is not taken to be down. */
  readonly down: { readonly since: Date; readonly nextProbeAt: Date; readonly error: string } | null;
}

const REFUSAL_STATUSES: readonly (number | null)[] = [401, 403];
export const isRefusalStatus = (status: number | null): boolean => REFUSAL_STATUSES.includes(status);

type StatusRow = Omit<CallbackStatus, 'keys' | 'refused' | 'down'> & {
  readonly refusedUid: string | null;
  readonly refusedAt: Date | null;
  readonly refusedError: string | null;
  readonly since: Date | null;
  readonly probeAt: Date | null;
  readonly error: string | null;
};

export async function callbackStatusOf(
  database: Kysely<Database> | Transaction<Database>,
  tenantId: number,
  encryption: Encryption,
): Promise<CallbackStatus> {
  const { rows } = await sql<StatusRow>`
    select c.url, coalesce(c.auth_type, 'None') as "authType", q.waiting, q.stuck,
      q.oldest_pending_at as "oldestPendingAt", r.shipment_uid as "refusedUid", r.failed_at as "refusedAt",
      r.error as "refusedError", o.since, o.probe_at + clock_ahead(t.tenant_id) as "probeAt", o.error
    from (select ${tenantId}::bigint as tenant_id) as t
    left join callback_configurations c using (tenant_id)
    left join callback_outages o using (tenant_id)
    cross join lateral (
      select count(*) as waiting, count(*) filter (where attempts > 0) as stuck,
        min((select min(e.created_at) from shipment_events e
          where e.shipment_id = queue.shipment_id and e.is_pending)) as oldest_pending_at
      from callback_queue queue where queue.tenant_id = t.tenant_id
    ) as q
    left join lateral (
      select e.shipment_uid, f.failed_at, f.error
      from callback_queue queue
      join shipment_events e on e.shipment_id = queue.shipment_id and e.is_pending
      join callback_failures f using (event_id)
      where queue.tenant_id = t.tenant_id and queue.attempts > 0 and f.answer_status = any(${REFUSAL_STATUSES})
      order by f.failed_at desc limit 1
    ) as r on true
  `.execute(database);
  const [row] = rows;
  if (!row) throw new TypeError('expected one row of callback status');
  const { refusedUid, refusedAt, refusedError, since, probeAt, error, ...status } = row;
  return {
    ...status,
    keys: encryption.isGiven ? await callbackKeysInUse(database, tenantId, encryption) : null,
    refused:
      refusedUid !== null && refusedAt
        ? { shipmentUid: refusedUid, at: refusedAt, error: refusedError ?? '' }
        : null,
    down: since && probeAt ? { since, nextProbeAt: probeAt, error: error ?? '' } : null,
  };
}
