// One entry of the audit log: which API client did what, with which uids and which outcome. Of texts it has only the
// name in X-On-Behalf-Of.
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Who asks for what. */
export interface AuditedRequest {
  readonly tenantId: number;
  /** Null if an operator's command made the change. */
  readonly clientId: string | null;
  /** The person for whom the client acts, as the client says; null if it says nothing. */
  readonly onBehalfOf: string | null;
  /** An operation's name, or a command's words. */
  readonly operation: string;
  readonly requestId: string;
}

export interface AuditEntry extends AuditedRequest {
  readonly uids: readonly string[];
  /** Success, or the code of the refusal. */
  readonly outcome: string;
  /** How often it happened, if it is told at once; 1 if left out. */
  readonly count?: number;
}

export const SUCCESS = 'Success';

export const auditedRequestOf = ({
  tenantId,
  clientId,
  onBehalfOf,
  operation,
  requestId,
}: AuditedRequest): AuditedRequest => ({
  tenantId,
  clientId,
  onBehalfOf,
  operation,
  requestId,
});

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
  operation,
  uids,
  outcome,
  requestId,
  count = 1,
}: AuditEntry): RawBuilder<unknown> => sql`
  insert into audit_log (tenant_id, client_id, on_behalf_of, operation, uids, outcome, request_id, count)
  values (${tenantId}::bigint, ${clientId}, ${onBehalfOf}, ${operation}, ${uids}::text[], ${outcome}, ${requestId},
    ${count}::int)`;
