// The audit log: which API client did what, with which uids and which outcome. Of texts it has only those in X-On-Behalf-Of and
// X-Reason, and the reason of OpenLocker.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AuditedRequest } from '../audited-request.ts';

export interface AuditEntry extends AuditedRequest {
  readonly uids: readonly string[];
  /** Success, or the code of the refusal. */
  readonly outcome: string;
}

export const SUCCESS = 'Success';

// The fields that name the object of an operation. Others, like toUserUid, are details.
const SUBJECTS = [
  'shipmentUids',
  'shipmentUid',
  'shipmentObjectUid',
  'priorShipmentUid',
  'swapsShipmentUid',
  'userUid',
  'pickUpPointUid',
  'lockerUid',
];

/** From a request and its answer, or its refusal. */
export function subjectsOf(...bodies: readonly object[]): string[] {
  const uids = bodies.flatMap((body) =>
    SUBJECTS.flatMap((name) => (body as Readonly<Record<string, unknown>>)[name] ?? []),
  );
  return [...new Set(uids.filter((uid) => typeof uid === 'string'))];
}

/** Holds for the rows of audit_log about it, which are looked up by their ids (functions/audit.sql). */
export const isAbout = (tenantId: number, uid: string): RawBuilder<SqlBool> =>
  sql`audit_id = any(array(select audit_ids_about(${tenantId}, ${uid})))`;

/** Writes the entry of a change, in the transaction of the change. A booking's is written by book_chain itself. */
export const insertAuditEntry = ({
  tenantId,
  clientId,
  onBehalfOf,
  why,
  operation,
  uids,
  outcome,
  requestId,
}: AuditEntry): RawBuilder<unknown> => sql`
  insert into audit_log (tenant_id, client_id, on_behalf_of, why, operation, uids, outcome, request_id)
  values (${tenantId}::bigint, ${clientId}, ${onBehalfOf}, ${why}, ${operation}, ${uids}::text[], ${outcome}, ${requestId})`;
