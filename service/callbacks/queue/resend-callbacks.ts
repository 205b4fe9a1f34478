// An operator sends callbacks again, also those that were never sent.
import { type Kysely, sql } from 'kysely';
import { wakeSenders } from '../../due-callbacks.ts';
import type { Database } from '../../storage/database.ts';
import { inTransaction } from '../../storage/transaction.ts';

/** Events of the tenant, both ends included; also events of a time without a url. */
export interface EventRange {
  readonly fromEventId?: number | undefined;
  readonly toEventId?: number | undefined;
  readonly shipmentUid?: string | undefined;
}

// In one statement: more could run into its time-out.
const RESENT_AT_A_TIME = 5_000;

/**
 * Sends the events again, each shipment's in order, with the same ids. It works in steps and commits each step: if it
 * stops early, the events of the finished steps are sent. Gives the number of events.
 */
export async function resendCallbacks(
  database: Kysely<Database>,
  tenantId: number,
  range: EventRange,
): Promise<number> {
  // Events that happen meanwhile need not be sent again.
  const toEventId = range.toEventId ?? (await newestEventId(database, tenantId));
  let resent = 0;
  for (let fromEventId = range.fromEventId ?? 0; ; ) {
    const step = await resendStep(database, tenantId, { ...range, fromEventId, toEventId });
    resent += step.resent;
    if (step.looked_at < RESENT_AT_A_TIME || step.last_event_id === null) return resent;
    fromEventId = step.last_event_id + 1;
  }
}

async function newestEventId(database: Kysely<Database>, tenantId: number): Promise<number> {
  const newest = await database
    .selectFrom('shipment_events')
    .select(({ fn }) => fn.max('event_id').as('event_id'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return newest?.event_id ?? 0;
}

interface ResentStep {
  readonly looked_at: number;
  readonly last_event_id: number | null;
  readonly resent: number;
}

async function resendStep(
  database: Kysely<Database>,
  tenantId: number,
  { fromEventId, toEventId, shipmentUid }: EventRange,
): Promise<ResentStep> {
  const ofShipment =
    shipmentUid === undefined
      ? sql``
      : sql`and shipment_id = (select shipment_id from shipments where shipment_uid = ${shipmentUid})`;
  return await inTransaction(database, async (transaction) => {
    const { rows } = await sql<ResentStep>`
      with asked as (
        select event_id from shipment_events
        where tenant_id = ${tenantId} and not is_pending
          and event_id between ${fromEventId} and ${toEventId} ${ofShipment}
        order by event_id limit ${RESENT_AT_A_TIME}
      ), again as (
        update shipment_events as event
        set is_pending = true, delivered_at = null, attempts = null, answer_status = null
        from asked where event.event_id = asked.event_id and not event.is_pending
        returning event.shipment_id
      ), queued as (
        -- The same lock as that of a change of state: see callback_queue in the migrations.
        insert into callback_queue as queue (shipment_id, tenant_id, due_at)
        select shipment_id, ${tenantId}, now() from again group by shipment_id order by shipment_id
        on conflict (shipment_id) do update set tenant_id = queue.tenant_id
      )
      select count(*) as looked_at, max(event_id) as last_event_id, (select count(*) from again) as resent from asked
    `.execute(transaction);
    await wakeSenders(transaction);
    const [step] = rows;
    if (!step) throw new TypeError('expected one row of what is sent again');
    return step;
  });
}
