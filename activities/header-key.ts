// The Idempotency-Key header of a call that a process makes.
import { createHash } from 'node:crypto';

/** Hashed, because a business key may have characters and lengths that a header may not. */
export function headerKey(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex');
}
