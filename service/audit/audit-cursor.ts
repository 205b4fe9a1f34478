// The cursor of the audit log: the end of a page, encrypted for its tenant. The entries of all tenants share one
// numbering, so a plain number would show one tenant how active the others are.
import type { Encryption } from '../encryption/encryption.ts';
import { Refusal } from '../refusal.ts';

const placeOf = (tenantId: number): string => `the audit log's cursor of tenant ${tenantId}`;

export function cursorAt(auditId: number, encryption: Encryption, tenantId: number): string {
  const { encryptionKeyId, bytes } = encryption.encrypt(String(auditId), placeOf(tenantId));
  return [Buffer.from(encryptionKeyId), bytes].map((part) => part.toString('base64url')).join('.');
}

/** Throws InvalidRequest if the text is not a cursor of this tenant. */
export function auditIdIn(cursor: string, encryption: Encryption, tenantId: number): number {
  const [keyId = '', bytes = ''] = cursor.split('.');
  const encryptionKeyId = Buffer.from(keyId, 'base64url').toString();
  // A cursor of a key that is not in the ring, or of none at all: a warning that a key is missing would mislead the operator.
  if (!encryption.has(encryptionKeyId)) throw noCursor();
  try {
    const stored = { encryptionKeyId, bytes: Buffer.from(bytes, 'base64url') };
    return Number(encryption.decrypt(stored, placeOf(tenantId)));
  } catch (cause) {
    // The cursor of another tenant, a changed one, and one from before a change of key get the same answer.
    throw noCursor({ cause });
  }
}

const noCursor = (more: { readonly cause?: unknown } = {}) =>
  new Refusal('InvalidRequest', 'cursor: must be the nextCursor of the page before', {}, more);
