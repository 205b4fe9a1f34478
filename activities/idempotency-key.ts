// The header Idempotency-Key of a process's call.
import { createHash } from 'node:crypto';

/** A business key may have any characters and any length, a header not. */
export function headerKey(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex');
}
