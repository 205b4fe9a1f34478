// The record of each opening of a locker for a shipment. The access's own transaction writes it: an opening that failed
// leaves none.
import { type RawBuilder, sql } from 'kysely';
import type { AuditEntry } from '../audit/audit-entry.ts';

export type AccessGoal = 'DropOff' | 'PickUp';

interface LockerAccess {
  readonly lockerId: number;
  readonly shipmentId: number;
  /** Null if the locker was opened without a change of the shipment. */
  readonly goal: AccessGoal | null;
}

export const insertLockerAccess = (
  {
    tenantId,
    operation,
    clientId,
    openedAt,
  }: Pick<AuditEntry, 'tenantId' | 'operation' | 'clientId'> & { readonly openedAt?: Date },
  { lockerId, shipmentId, goal }: LockerAccess,
): RawBuilder<unknown> => sql`
  insert into locker_accesses (tenant_id, locker_id, shipment_id, access_goal, operation, client_id, occurred_at)
  values (${tenantId}::bigint, ${lockerId}::bigint, ${shipmentId}::bigint, ${goal}, ${operation}, ${clientId},
    coalesce(${openedAt ?? null}::timestamptz + clock_ahead(${tenantId}::bigint), tenant_moment(${tenantId}::bigint)))`;
