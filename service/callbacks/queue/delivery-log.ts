// The delivery of each callback of a tenant: its attempts, their answers, and the next attempt.

import { type Kysely, sql, type Transaction } from 'kysely';
import type { StateCode } from '../../../contract/index.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import type { Database } from '../../storage/database.ts';
import type { CallbackMessageType } from '../../storage/tables.ts';
import { type CallbackKeyInUse, callbackKeysInUse } from '../configuration/callback-keys.ts';

interface DeliveryFilter {
  readonly shipmentUid?: string | undefined;
  /** Only undelivered ones. */
  readonly pending?: boolean | undefined;
  /** Only events before this one: the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}
interface FailedAttempt {
  readonly attempt: number;
  readonly failedAt: string;
  readonly milliseconds: number;
  readonly answerStatus: number | null;
  readonly error: string;
}

export interface Delivery {
  readonly eventId: number;
  readonly shipmentUid: string;
  readonly messageType: CallbackMessageType;
  readonly stateCode: StateCode;
  readonly createdAt: Date;
  /** NotSent: there was no url at the time of the event. */
  readonly status: 'Delivered' | 'Pending' | 'NotSent';
  readonly deliveredAt: Date | null;
  readonly attempts: number;
  /** The status of the accepting answer. */
  readonly answerStatus: number | null;
  /** The last ten, latest first. */
  readonly failures: readonly FailedAttempt[];
  /** Only for the callback whose turn it is among those of its shipment, unless it is being sent. */
  readonly nextAttemptAt: Date | null;
}

/** The latest first. */
export async function deliveriesOf(
  database: Kysely<Database> | Transaction<Database>,
  tenantId: number,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  const { shipmentUid, pending, before, limit } = filter;
  const { rows } = await sql<Delivery>`
    select e.event_id as "eventId", e.shipment_uid as "shipmentUid",
      e.message_type as "messageType",
      e.state_code as "stateCode", e.created_at as "createdAt",
      case when e.is_pending then 'Pending' when e.delivered_at is null then 'NotSent' else 'Delivered' end as status,
      e.delivered_at as "deliveredAt", e.answer_status as "answerStatus", f.failures,
      coalesce(case when first.is_next then q.attempts else e.attempts end, 0) as attempts,
      case when first.is_next and c.url is not null and q.lease_id is null
        then greatest(q.due_at, case when q.attempts = 0 then o.first_try_at else o.probe_at end) + clock_ahead(e.tenant_id)
        end as "nextAttemptAt"
    from shipment_events e
    left join callback_queue q on q.shipment_id = e.shipment_id and e.is_pending
    left join callback_configurations c on c.tenant_id = e.tenant_id
    left join callback_outages o on o.tenant_id = e.tenant_id
    cross join lateral (
      select e.is_pending and not exists (select from shipment_events earlier where earlier.shipment_id = e.shipment_id
        and earlier.event_id < e.event_id and earlier.is_pending) as is_next
    ) as first
    cross join lateral (
      select coalesce(json_agg(json_build_object('attempt', attempt, 'failedAt', failed_at,
        'milliseconds', milliseconds, 'answerStatus', answer_status, 'error', error) order by attempt desc), '[]')
        as failures
      from callback_failures where event_id = e.event_id
    ) as f
    where e.tenant_id = ${tenantId}
      ${before === undefined ? sql`` : sql`and e.event_id < ${before}`}
      ${pending ? sql`and e.is_pending and q.shipment_id is not null` : sql``}
      ${shipmentUid === undefined ? sql`` : sql`and e.shipment_id = (select shipment_id from shipments where shipment_uid = ${shipmentUid})`}
    order by e.event_id desc limit ${limit}
  `.execute(database);
  return rows;
}

// The state of delivery to one tenant: the url, whether its receiver is down, and how many shipments wait.

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
