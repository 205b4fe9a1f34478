// The trace in which a shipment was booked, for its callbacks: the audit log has the id of the booking request, which in a
// trace is its place there.
import { type Kysely, sql } from 'kysely';
import type { Carrier } from '../../../runtime/telemetry/spans.ts';
import { isAbout } from '../../audit/audit-entry.ts';
import type { Database } from '../../storage/database.ts';

/** Undefined if it was booked outside of a trace, or long ago. */
export async function traceOfShipment(
  database: Kysely<Database>,
  tenantId: number,
  shipmentUid: string,
): Promise<Carrier | undefined> {
  // The last one: a shipment in stock is issued later, by another process.
  const { rows } = await sql<{ traceparent: string }>`
    select request_id as traceparent from audit_log
    where tenant_id = ${tenantId} and ${isAbout(tenantId, shipmentUid)}
      and operation like 'Create%' and outcome = 'Success' and request_id like '00-%'
    order by audit_id desc limit 1
  `.execute(database);
  const [row] = rows;
  return row && { traceparent: row.traceparent };
}
