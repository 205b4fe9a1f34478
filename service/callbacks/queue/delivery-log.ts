// The delivery of each callback of a tenant: its attempts, their answers, and the next attempt.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { CallbackMessageType, StateCode } from '../../../contract/index.ts';
import type { Database } from '../../storage/database.ts';

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
