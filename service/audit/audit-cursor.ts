// The cursor of the audit log: the end of a page, encrypted for its tenant. The entries of all tenants share one
// numbering, so a plain number would show one tenant how active the others are.
import { type Encryption, encryptionKeyIdOf, type Place } from '../encryption/encryption.ts';
import { Refusal } from '../refusal.ts';

const placeOf = (tenantId: number): Place => ({
  boundTo: ['cursor of the audit log', String(tenantId)],
  name: 'the cursor of the audit log',
});

export const cursorAt = (auditId: number, encryption: Encryption, tenantId: number): string =>
  Buffer.from(encryption.seal(String(auditId), placeOf(tenantId))).toString('base64url');

/** Throws InvalidRequest if the text is not a cursor of this tenant. */
export function auditIdIn(cursor: string, encryption: Encryption, tenantId: number): number {
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
  new Refusal('InvalidRequest', 'cursor: must be the nextCursor of the page before', {}, more);
