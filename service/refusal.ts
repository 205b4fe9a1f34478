// The one error by which a handler refuses: a code of the contract and words that a person can act on.
// Anything else that is thrown is a defect or an outage and is answered as InternalError, without its detail.
import { type ErrorCode, errors } from '../contract/index.ts';

interface RefusalOptions {
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it is another than the code's own. */
  readonly status?: number;
}

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  /** What the failing answer carries beside the envelope, like the userUid with MutationConfigFailed. */
  readonly fields: object;
  /** Headers that belong to the refusal, like Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(code: ErrorCode, message: string, fields: object = {}, options: RefusalOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = fields;
    this.headers = options.headers ?? {};
    this.status = options.status ?? errors[code].status;
  }
}

/** Retry-After counts whole seconds (RFC 9110 section 10.2.3); sooner than after one there would be no point. */
export function tooManyRequests(waitSeconds: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitSeconds));
  const message = `Too many requests: try again after ${retryAfterSeconds} s`;
  return new Refusal(
    'RateLimitExceeded',
    message,
    {},
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}
