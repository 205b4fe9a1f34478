// GetAuditLog (assumptions: Reading): a tenant's own audit log, the latest entries first, page by page.

import { ApiError } from '../api-error.ts';
import { type Encryption, encryptionKeyIdOf, type Place } from '../encryption/encryption.ts';
import type { Handler } from '../handler.ts';
import { withinBytes } from '../page.ts';
import { momentOf, withoutOffset } from '../wire-time.ts';
import { isAbout } from './audit-entry.ts';

export const getAuditLog: Handler<'GetAuditLog'> = async (request, { database, settings, tenantId }) => {
  const { pageSize, cursor, clientId, operation, uid, since, until } = request;
  let query = database
    .selectFrom('audit_log')
    .select([
      'audit_id',
      'occurred_at',
      'client_id as clientId',
      'on_behalf_of as onBehalfOf',
      'why',
      'operation',
      'uids',
      'outcome',
      'request_id as requestId',
      'lasted_since',
    ])
    .where('tenant_id', '=', tenantId);
  if (cursor) query = query.where('audit_id', '<', auditIdIn(cursor, settings.encryption, tenantId));
  if (clientId) query = query.where('client_id', '=', clientId);
  if (operation) query = query.where('operation', '=', operation);
  if (uid) query = query.where(isAbout(tenantId, uid));
  if (since) query = query.where('occurred_at', '>=', momentOf(since));
  if (until) query = query.where('occurred_at', '<', momentOf(until));
  // One row more than the page has: it shows whether there is another page.
  const rows = await query
    .orderBy('audit_id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const items = withinBytes(
    rows.slice(0, pageSize).map(({ audit_id: _, occurred_at, lasted_since, ...row }) => ({
      ...row,
      occurredAt: withoutOffset(occurred_at),
      lastedSince: lasted_since && withoutOffset(lasted_since),
    })),
  );
  const last = rows[items.length - 1];
  return {
    items,
    nextCursor:
      last && rows.length > items.length ? cursorAt(last.audit_id, settings.encryption, tenantId) : null,
  };
};

/**
 * A cursor is the end of a page, encrypted for its tenant: the entries of all tenants share one numbering, so a plain number would
 * show one tenant how active the others are.
 */
const placeOf = (tenantId: number): Place => ({
  boundTo: ['cursor of the audit log', String(tenantId)],
  name: 'the cursor of the audit log',
});

const cursorAt = (auditId: number, encryption: Encryption, tenantId: number): string =>
  Buffer.from(encryption.seal(String(auditId), placeOf(tenantId))).toString('base64url');

/** Throws InvalidRequest if the text is not a cursor of this tenant. */
function auditIdIn(cursor: string, encryption: Encryption, tenantId: number): number {
  const sealed = Buffer.from(cursor, 'base64url').toString();
  // A cursor of a key that is not in the ring, or of none at all: a warning that a key is missing would mislead the operator.
  if (!encryption.has(encryptionKeyIdOf(sealed))) throw noCursor();
  try {
    return Number(encryption.open(sealed, placeOf(tenantId)));
  } catch (cause) {
    // The cursor of another tenant, a changed one, and one from before a change of key get the same answer.
    throw noCursor({ cause });
  }
}

const noCursor = (more: { readonly cause?: unknown } = {}) =>
  new ApiError('InvalidRequest', 'cursor: must be the nextCursor of the page before', {}, more);
