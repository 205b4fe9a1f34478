// The delivery of each callback of a tenant: its attempts, their answers, the next attempt, and what it waits for.
import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { ACCESS_MESSAGE_TYPE, CALLBACK_MESSAGE_TYPE, type StateCode } from '../../../contract/index.ts';
import type { Database } from '../../storage/database.ts';
import { moment } from '../../wire-time.ts';

interface DeliveryFilter {
  readonly shipmentUid?: string | undefined;
  /** Only undelivered ones. */
  readonly pending?: boolean | undefined;
  /** Only events before this one: the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}
/** As /sandbox shows it. */
const failedAttempt = z.object({
  attempt: z.number(),
  failedAt: z.string(),
  milliseconds: z.number(),
  answerStatus: z.number().nullable(),
  error: z.string(),
});

export const delivery = z.object({
  eventId: z.number(),
  shipmentUid: z.string(),
  messageType: z.string(),
  stateCode: z.string(),
  createdAt: moment,
  status: z
    .enum(['Delivered', 'Pending', 'NotSent'])
    .describe('NotSent: there was no url at the time of the event'),
  deliveredAt: moment.nullable(),
  attempts: z.number(),
  answerStatus: z.number().nullable().describe('The status of the accepting answer'),
  failures: z.array(failedAttempt).readonly().describe('The last ten, latest first'),
  waitsFor: z.string().nullable().describe('Why the callback has not been delivered yet'),
  nextAttemptAt: moment.nullable(),
});
export type Delivery = Readonly<z.infer<typeof delivery>> & { readonly stateCode: StateCode };

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
