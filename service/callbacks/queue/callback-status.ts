// The state of delivery to one tenant: the url, whether its receiver is down, and how many shipments wait.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { CallbackAuthType } from '../../../contract/index.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import type { Database } from '../../storage/database.ts';
import { type CallbackKeyInUse, callbackKeysInUse } from '../configuration/callback-keys.ts';

export interface CallbackStatus {
  readonly url: string | null;
  readonly authType: CallbackAuthType;
  /** Null without the encryption key, which reads them. */
  readonly keys: readonly CallbackKeyInUse[] | null;
  /** Shipments with pending callbacks; how many of them failed at least once; how many are parked. */
  readonly waiting: number;
  readonly stuck: number;
  readonly parked: number;
  readonly oldestPendingAt: Date | null;
  /** The last time that the receiver did not take the signature of a callback that is still pending. */
  readonly refused: Refused | null;
  readonly down: { readonly since: Date; readonly nextProbeAt: Date; readonly error: string } | null;
}

interface Refused {
  readonly shipmentUid: string;
  readonly at: Date;
  readonly error: string;
}

const REFUSAL_STATUSES: readonly (number | null)[] = [401, 403];
export const isRefusalStatus = (status: number | null): boolean => REFUSAL_STATUSES.includes(status);

interface Row {
  readonly url: string | null;
  readonly auth_type: CallbackAuthType | null;
  readonly waiting: number;
  readonly stuck: number;
  readonly parked: number;
  readonly oldest_pending_at: Date | null;
  readonly refused_uid: string | null;
  readonly refused_at: Date | null;
  readonly refused_error: string | null;
  readonly since: Date | null;
  readonly probe_at: Date | null;
  readonly error: string | null;
}

export async function callbackStatusOf(
  database: Kysely<Database> | Transaction<Database>,
  tenantId: number,
  encryption: Encryption,
): Promise<CallbackStatus> {
  const { rows } = await sql<Row>`
    select c.url, c.auth_type, q.waiting, q.stuck, q.parked, q.oldest_pending_at,
      r.shipment_uid as refused_uid, r.failed_at as refused_at, r.error as refused_error, o.since, o.probe_at + clock_ahead(t.tenant_id) as probe_at, o.error
    from (select ${tenantId}::bigint as tenant_id) as t
    left join callback_configurations c using (tenant_id)
    left join callback_outages o using (tenant_id)
    cross join lateral (
      select count(*) as waiting, count(*) filter (where attempts > 0) as stuck,
        count(*) filter (where parked_at is not null) as parked,
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
  const { url, auth_type, waiting, stuck, parked, oldest_pending_at, since, probe_at, error } = row;
  const { refused_uid, refused_at, refused_error } = row;
  return {
    url,
    authType: auth_type ?? 'None',
    keys: encryption.isGiven ? await callbackKeysInUse(database, tenantId, encryption) : null,
    waiting,
    stuck,
    parked,
    oldestPendingAt: oldest_pending_at,
    refused:
      refused_uid !== null && refused_at
        ? { shipmentUid: refused_uid, at: refused_at, error: refused_error ?? '' }
        : null,
    down: since && probe_at ? { since, nextProbeAt: probe_at, error: error ?? '' } : null,
  };
}
