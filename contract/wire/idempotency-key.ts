// The request header that makes a repeated call take effect once.
// ASSUMPTION: assumptions: The wire. The interface does not show such a header, and a peer may not know it.
import { z } from 'zod';

/** In lower case, as HTTP compares it. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/** How long the service repeats the first successful answer. A later repetition books twice. */
export const IDEMPOTENCY_KEY_HOURS = 24;
/** The status of InvalidRequest for a key that was used with another body, as in the IETF draft of the header. */
export const IDEMPOTENCY_KEY_REUSED_STATUS = 422;

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible ASCII characters');
