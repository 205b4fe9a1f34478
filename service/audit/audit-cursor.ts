// The cursor of the audit log: where a page has ended, encrypted for its tenant. All tenants' entries are numbered
// together, so a number as it is would tell one tenant how much the others do.
import type { Encryption } from '../encryption/encryption.ts';
import { Refusal } from '../refusal.ts';

const placeOf = (tenantId: number): string => `the audit log's cursor of tenant ${tenantId}`;

export function cursorAt(auditId: number, encryption: Encryption, tenantId: number): string {
  const { encryptionKeyId, bytes } = encryption.encrypt(String(auditId), placeOf(tenantId));
  return [Buffer.from(encryptionKeyId ?? ''), bytes].map((part) => part.toString('base64url')).join('.');
}

/** Throws InvalidRequest for what is no cursor of this tenant. */
export function auditIdIn(cursor: string, encryption: Encryption, tenantId: number): number {
  const [keyId = '', bytes = ''] = cursor.split('.');
  const encryptionKeyId = Buffer.from(keyId, 'base64url').toString();
  // Of a key that is not in the ring, or of none at all: a warning that a key is missing would mislead the operator.
  if (!encryption.has(encryptionKeyId)) throw noCursor();
  try {
    const stored = { encryptionKeyId, bytes: Buffer.from(bytes, 'base64url') };
    return Number(encryption.decrypt(stored, placeOf(tenantId)));
  } catch (cause) {
    // Of another tenant, changed, or from before a change of key: all the same.
    throw noCursor({ cause });
  }
}

const noCursor = (more: { readonly cause?: unknown } = {}) =>
  new Refusal('InvalidRequest', 'cursor: expected the nextCursor of the page before', {}, more);
