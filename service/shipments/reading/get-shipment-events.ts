// GetShipmentEvents (assumptions: Operating): what happened to a shipment, in order, from the three records of it: the audit
// log, the openings of its locker, and its changes of state.
import { sql } from 'kysely';
import { STATUS_MESSAGE_TYPE, type StateCode } from '../../../contract/index.ts';
import { isAbout } from '../../audit/audit-entry.ts';
import type { Context } from '../../handler.ts';
import type { AccessGoal } from '../chain-steps.ts';

// More only an endless loop of refused requests makes; the latest are kept.
export const MAX_EVENTS = 1_000;

interface ShipmentEvent {
  readonly kind: 'Requested' | 'LockerOpened' | 'StateChanged';
  readonly occurredAt: Date;
  readonly stateCode: StateCode | null;
  readonly accessGoal: AccessGoal | null;
  readonly operation: string | null;
  readonly outcome: string | null;
  readonly clientId: string | null;
  readonly onBehalfOf: string | null;
  readonly requestId: string | null;
}

/**
 * Backwards, one more than is shown. A change comes after the request and the opening that made it, although the same transaction
 * recorded all three: by milliseconds, since changes and openings are recorded by them, and a request by the microsecond in which
 * its transaction began.
 */
export async function latestEvents(
  { database, tenantId }: Context,
  shipmentId: number,
  shipmentUid: string,
): Promise<ShipmentEvent[]> {
  const { rows } = await sql<ShipmentEvent>`
    select kind, occurred_at as "occurredAt", state_code as "stateCode", access_goal as "accessGoal", operation,
      outcome, client_id as "clientId", on_behalf_of as "onBehalfOf",
      request_id as "requestId"
    from (
      select 'Requested' as kind, 1 as rank, audit_id as id, occurred_at, null as state_code, null as access_goal,
        operation, outcome, client_id, on_behalf_of, request_id
      from audit_log where tenant_id = ${tenantId} and ${isAbout(tenantId, shipmentUid)}
      union all
      select 'LockerOpened', 2, access_id, occurred_at, null, access_goal, operation, null, client_id, null, null
      from locker_accesses where shipment_id = ${shipmentId}
      union all
      select 'StateChanged', 3, event_id, state_start, state_code, null, null, null, null, null, null
      from shipment_events where shipment_id = ${shipmentId} and message_type = ${STATUS_MESSAGE_TYPE}
    ) as event
    order by date_trunc('milliseconds', occurred_at) desc, rank desc, id desc limit ${MAX_EVENTS + 1}
  `.execute(database);
  return rows;
}
