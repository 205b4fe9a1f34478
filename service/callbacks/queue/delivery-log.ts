// The delivery of each callback of a tenant: its attempts, their answers, the next attempt, and what it waits for.

import { type Kysely, sql, type Transaction } from 'kysely';
import { ACCESS_MESSAGE_TYPE, CALLBACK_MESSAGE_TYPE, type StateCode } from '../../../contract/index.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import type { Database } from '../../storage/database.ts';
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
  readonly messageType: string;
  readonly stateCode: StateCode;
  readonly createdAt: Date;
  /** NotSent: there was no url at the time of the event. */
  readonly status: 'Delivered' | 'Pending' | 'NotSent';
  readonly deliveredAt: Date | null;
  readonly attempts: number;
  /** Of the accepting answer. */
  readonly answerStatus: number | null;
  /** The last ten, latest first. */
  readonly failures: readonly FailedAttempt[];
  readonly waitsFor: WaitsFor | null;
  readonly nextAttemptAt: Date | null;
}

/** Why a pending callback has not been delivered yet. */
type WaitsFor =
  | 'an earlier callback of the shipment'
  | 'a url'
  | 'its answer'
  | 'the receiver to be back'
  | 'its next attempt'
  | 'a free place';

interface Row {
  readonly event_id: number;
  readonly shipment_uid: string;
  readonly state_code: StateCode;
  readonly access_goal: Database['shipment_events']['access_goal'];
  readonly created_at: Date;
  readonly is_pending: boolean;
  readonly delivered_at: Date | null;
  readonly accepted_attempts: number | null;
  readonly answer_status: number | null;
  readonly failures: Delivery['failures'];
  readonly is_first: boolean;
  readonly due_at: Date | null;
  readonly is_due: boolean | null;
  readonly is_leased: boolean | null;
  readonly failed_attempts: number | null;
  readonly has_url: boolean;
  readonly probe_at: Date | null;
}

/** The latest first. */
export async function deliveriesOf(
  database: Kysely<Database> | Transaction<Database>,
  tenantId: number,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  const { shipmentUid, pending, before, limit } = filter;
  const { rows } = await sql<Row>`
    select e.event_id, e.shipment_uid, e.state_code, e.access_goal, e.created_at, e.is_pending, e.delivered_at,
      e.attempts as accepted_attempts, e.answer_status, f.failures,
      not exists (select from shipment_events earlier where earlier.shipment_id = e.shipment_id
        and earlier.event_id < e.event_id and earlier.is_pending) as is_first,
      q.due_at + clock_ahead(e.tenant_id) as due_at, q.due_at <= now() as is_due, q.lease_id is not null as is_leased, q.attempts as failed_attempts,
      coalesce(c.url is not null, false) as has_url,
      case when q.attempts = 0 then o.first_try_at else o.probe_at end + clock_ahead(e.tenant_id) as probe_at
    from shipment_events e
    left join callback_queue q on q.shipment_id = e.shipment_id and e.is_pending
    left join callback_configurations c on c.tenant_id = e.tenant_id
    left join callback_outages o on o.tenant_id = e.tenant_id
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
  return rows.map(deliveryOf);
}

function deliveryOf(row: Row): Delivery {
  const waitsFor = row.is_pending ? reasonOf(row) : null;
  return {
    eventId: row.event_id,
    shipmentUid: row.shipment_uid,
    messageType: row.access_goal ? ACCESS_MESSAGE_TYPE : CALLBACK_MESSAGE_TYPE,
    stateCode: row.state_code,
    createdAt: row.created_at,
    status: statusOf(row),
    deliveredAt: row.delivered_at,
    attempts: (row.is_pending && row.is_first ? row.failed_attempts : row.accepted_attempts) ?? 0,
    answerStatus: row.answer_status,
    failures: row.failures,
    waitsFor,
    nextAttemptAt: nextAttemptOf(row, waitsFor),
  };
}

function statusOf({ is_pending, delivered_at }: Row): Delivery['status'] {
  if (is_pending) return 'Pending';
  return delivered_at ? 'Delivered' : 'NotSent';
}

function reasonOf(row: Row): WaitsFor {
  if (!row.is_first) return 'an earlier callback of the shipment';
  if (!row.has_url) return 'a url';
  if (row.is_leased && !row.is_due) return 'its answer';
  if (row.probe_at) return 'the receiver to be back';
  return row.is_due ? 'a free place' : 'its next attempt';
}

function nextAttemptOf({ due_at, probe_at }: Row, waitsFor: WaitsFor | null): Date | null {
  if (waitsFor === 'its next attempt') return due_at;
  if (waitsFor === 'the receiver to be back') return probe_at;
  return null;
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
