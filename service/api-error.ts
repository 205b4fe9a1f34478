// The one error for a handler's refusal: a code of the contract and a message that a person can act on. Any other error
// is a defect or an outage; the answer is InternalError, without details.
import { type ErrorCode, errors, OVERLOADED_STATUS } from '../contract/index.ts';

interface ApiErrorOptions {
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** If it differs from the status of the code. */
  readonly status?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** Fields of the failing answer beside the envelope, like the userUid with MutationConfigFailed. */
  readonly fields: object;
  /** Headers of the refusal, like Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(code: ErrorCode, message: string, fields: object = {}, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = fields;
    this.headers = options.headers ?? {};
    this.status = options.status ?? errors[code].status;
  }
}

/** Retry-After has whole seconds (RFC 9110 section 10.2.3), at least one. */
export function tooManyRequests(waitSeconds: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitSeconds));
  const message = `Too many requests: try again after ${retryAfterSeconds} s`;
  return new ApiError(
    'RateLimitExceeded',
    message,
    {},
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}

const OVERLOAD_PAUSE_SECONDS = 2;

/** Nothing was done, and the same request may succeed a moment later. */
export const overloaded = (why: string): ApiError =>
  new ApiError(
    'InternalError',
    `${why}: try again after ${OVERLOAD_PAUSE_SECONDS} s`,
    {},
    { status: OVERLOADED_STATUS, headers: { 'retry-after': String(OVERLOAD_PAUSE_SECONDS) } },
  );
