// GetShipmentEvents (assumptions: Operating): what happened to a shipment, in order, from the records of it: the audit log, the
// openings of its locker, for it and to look, what was tried there in vain, and its changes of state; all in real time.
import { sql } from 'kysely';
import { STATUS_MESSAGE_TYPE, type StateCode } from '../../../contract/index.ts';
import { isAbout, SUCCESS } from '../../audit/audit-entry.ts';
import type { Context } from '../../handler.ts';
import { CODE_TYPED } from '../../hardware/wall-commands.ts';
import { activeStateCodes } from '../../storage/open-states.ts';
import { type AccessGoal, LOOK } from '../chain-steps.ts';

// More only an endless loop of refused requests makes; the latest are kept.
export const MAX_EVENTS = 1_000;

interface ShipmentEvent {
  readonly kind: 'Requested' | 'CodeRefused' | 'StayedShut' | 'LockerOpened' | 'StateChanged';
  readonly occurredAt: Date;
  readonly stateCode: StateCode | null;
  readonly accessGoal: AccessGoal | typeof LOOK | null;
  readonly operation: string | null;
  readonly outcome: string | null;
  readonly clientId: string | null;
  readonly onBehalfOf: string | null;
  readonly why: string | null;
  readonly requestId: string | null;
}

/**
 * Backwards, one more than is shown. A change comes after the request and the opening that made it, although the same transaction
 * recorded them: by milliseconds, since changes and openings are recorded by them, and a request by the microsecond in which
 * its transaction began.
 */
export async function latestEvents(
  { database, tenantId }: Context,
  shipmentId: number,
  shipmentUid: string,
): Promise<ShipmentEvent[]> {
  const { rows } = await sql<ShipmentEvent>`
    select kind, occurred_at as "occurredAt", state_code as "stateCode", access_goal as "accessGoal", operation,
      outcome, client_id as "clientId", on_behalf_of as "onBehalfOf", why, request_id as "requestId"
    from (
      select 'Requested' as kind, 1 as rank, audit_id as id, occurred_at, null as state_code, null as access_goal,
        operation, outcome, client_id, on_behalf_of, why, request_id
      from audit_log where tenant_id = ${tenantId} and ${isAbout(tenantId, shipmentUid)}
      union all
      ${refusedCodes(tenantId, shipmentId, shipmentUid)}
      union all
      select 'StayedShut', 1, extract(epoch from settled_at)::bigint, settled_at, null, null, operation, 'UnlockFailed',
        client_id, on_behalf_of, why, request_id
      from door_commands join shipments using (locker_id)
      where shipment_id = ${shipmentId} and door_commands.shipment_uid = shipments.shipment_uid
        and outcome = 'StayedShut' and operation = ${CODE_TYPED}
      union all
      select 'LockerOpened', 2, access_id, real_moment(${tenantId}, occurred_at), null, access_goal, operation, null, client_id, on_behalf_of, why, null
      from locker_accesses where shipment_id = ${shipmentId}
      union all
      select 'LockerOpened', 2, look_id, real_moment(${tenantId}, occurred_at), null, ${LOOK}, operation, null, client_id, on_behalf_of, why, null
      from locker_looks where shipment_id = ${shipmentId}
      union all
      select 'StateChanged', 3, event_id, real_moment(${tenantId}, state_start), state_code, null, null, null, null, null, null, null
      from shipment_events where shipment_id = ${shipmentId} and message_type = ${STATUS_MESSAGE_TYPE}
    ) as event
    order by date_trunc('milliseconds', occurred_at) desc, rank desc, id desc limit ${MAX_EVENTS + 1}
  `.execute(database);
  return rows;
}

/** Codes that were typed at its locker while the shipment had it, and that opened nothing: nobody knows whose they were to be. */
const refusedCodes = (tenantId: number, shipmentId: number, shipmentUid: string) => sql`
  select 'CodeRefused', 1, audit_id, occurred_at, null, null, operation, outcome, client_id, null, null, request_id
  from audit_log where tenant_id = ${tenantId} and operation = ${CODE_TYPED} and outcome <> ${SUCCESS}
    and audit_id in (
      select audit_ids_about(${tenantId}, locker.locker_uid)
      from shipments join lockers as locker using (locker_id) where shipment_id = ${shipmentId}
    )
    and occurred_at >= (
      select min(occurred_at) from audit_log where tenant_id = ${tenantId} and ${isAbout(tenantId, shipmentUid)}
    )
    and occurred_at <= (
      select case when state_code in (${activeStateCodes}) then 'infinity' else real_moment(${tenantId}, state_start) end
      from shipments where shipment_id = ${shipmentId}
    )`;
