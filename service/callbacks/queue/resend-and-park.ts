// What an operator does to deliveries: sends callbacks again, parks the callbacks of a shipment, and resumes them.
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../storage/database.ts';

/** Events of the tenant, both ends included; also events for which there was no url when they happened. */
export interface EventRange {
  readonly fromEventId?: number | undefined;
  readonly toEventId?: number | undefined;
  readonly shipmentUid?: string | undefined;
}

/** Sends the events once more, each shipment's in order, under the ids they had. Gives how many there are. */
export async function resendCallbacks(
  transaction: Transaction<Database>,
  tenantId: number,
  { fromEventId, toEventId, shipmentUid }: EventRange,
): Promise<number> {
  const { rows } = await sql<{ shipment_id: number; events: number }>`
    with again as (
      update shipment_events set is_pending = true, delivered_at = null, attempts = null, answer_status = null
      where tenant_id = ${tenantId} and not is_pending
        ${fromEventId === undefined ? sql`` : sql`and event_id >= ${fromEventId}`}
        ${toEventId === undefined ? sql`` : sql`and event_id <= ${toEventId}`}
        ${shipmentUid === undefined ? sql`` : sql`and shipment_id = (select shipment_id from shipments where shipment_uid = ${shipmentUid})`}
      returning shipment_id
    )
    -- The same lock as that of a change of state: see callback_queue in the migrations.
    insert into callback_queue as queue (shipment_id, tenant_id, due_at)
    select shipment_id, ${tenantId}, now() from again group by shipment_id order by shipment_id
    on conflict (shipment_id) do update set tenant_id = queue.tenant_id
    returning shipment_id, (select count(*) from again where again.shipment_id = queue.shipment_id) as events
  `.execute(transaction);
  await wakeSenders(transaction);
  return rows.reduce((sum, { events }) => sum + events, 0);
}

/** No callback of the shipment is sent until it is resumed. False when none is pending. */
export async function parkCallbacks(
  transaction: Transaction<Database>,
  tenantId: number,
  shipmentUid: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update callback_queue set parked_at = coalesce(parked_at, now())
    where tenant_id = ${tenantId}
      and shipment_id = (select shipment_id from shipments where shipment_uid = ${shipmentUid})
  `.execute(transaction);
  return numAffectedRows > 0n;
}

/** Pending callbacks of the shipment are tried now, parked or not. False when none is pending. */
export async function resumeCallbacks(
  transaction: Transaction<Database>,
  tenantId: number,
  shipmentUid: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update callback_queue
    -- One that is being sent at this moment stays with its sender.
    set parked_at = null, due_at = case when lease_id is null then now() else due_at end
    where tenant_id = ${tenantId}
      and shipment_id = (select shipment_id from shipments where shipment_uid = ${shipmentUid})
  `.execute(transaction);
  await wakeSenders(transaction);
  return numAffectedRows > 0n;
}

const wakeSenders = (transaction: Transaction<Database>) =>
  sql`select pg_notify('callbacks_due', '')`.execute(transaction);
