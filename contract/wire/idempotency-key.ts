// The request header that makes a repeated call take effect once.
// ASSUMPTION: assumptions: The wire; the interface does not show one, and a peer may not know it.
import { z } from 'zod';

/** In lower case, as HTTP compares it. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/** How long the first success is given again; a repetition must come sooner, or it books twice. */
export const IDEMPOTENCY_KEY_HOURS = 24;
/** Of the refusal (InvalidRequest) of a key that was used with another body, as the IETF draft of the header has it. */
export const IDEMPOTENCY_KEY_REUSED_STATUS = 422;

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible ASCII characters');
