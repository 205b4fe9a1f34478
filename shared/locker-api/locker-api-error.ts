// The only error that the API client throws: whether a retry may help, and whether the call may have had an effect. It never
// contains a token, a secret or an access code; excerpts of answers are redacted and truncated.
import type { OperationName } from '../../contract/index.ts';
import type { Evidence } from './redact-response.ts';

/** The client's own codes, in addition to the service's. The list is closed. */
export const clientErrors = {
  Unreachable: {
    retryable: true,
    meaning: 'No connection: refused, unknown host, TLS failure or a closed client',
  },
  ConnectionLost: { retryable: true, meaning: 'The connection ended before the whole answer was there' },
  TimedOut: { retryable: true, meaning: 'No whole answer within the time-out' },
  Aborted: { retryable: false, meaning: "The caller's signal ended the call" },
  InvalidResponse: { retryable: true, meaning: 'What answered did not speak the interface' },
  ResponseTooLarge: { retryable: false, meaning: 'The answer is larger than the client accepts' },
  TokenRefused: { retryable: false, meaning: 'The token service refuses the credentials or the scope' },
  TokenServiceFailed: { retryable: true, meaning: 'The token service gave no usable answer' },
} as const satisfies Record<string, { retryable: boolean; meaning: string }>;
export type ClientErrorCode = keyof typeof clientErrors;

/** no: the call had no effect. yes: the service answered definitely. unknown: it may or may not have had an effect. */
export type Reached = 'no' | 'unknown' | 'yes';

/** The only call that is not an operation: the clock of a tenant in staging. */
export const SANDBOX_CLOCK = 'sandbox/clock';
export type CalledOperation = OperationName | typeof SANDBOX_CLOCK;

/** `code`: the one that the service sent, one derived from the HTTP status, or one of clientErrors. */
type LockerApiErrorFields = Pick<
  LockerApiError,
  'operation' | 'code' | 'message' | 'retryable' | 'mayHaveReachedService'
> &
  Partial<Pick<LockerApiError, 'detail' | 'httpStatus' | 'requestId' | 'retryAfterMs' | 'fields'>> & {
    readonly evidence?: Evidence;
  };

export class LockerApiError extends Error {
  override readonly name = 'LockerApiError';
  readonly operation: CalledOperation;
  readonly code: string;
  readonly httpStatus: number | null;
  /** Whether the same call may succeed later, unchanged. Unrelated to the outcome of this one. */
  readonly retryable: boolean;
  readonly mayHaveReachedService: Reached;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  /** The service's own message, without operation and code; null: none. */
  readonly detail: string | null;
  override readonly cause: Evidence | undefined;
  // Private, so that no logger prints it: an answer about an account holds personal data.
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(error: LockerApiErrorFields) {
    super(`${error.operation}: ${error.message}`);
    this.operation = error.operation;
    this.code = error.code;
    this.httpStatus = error.httpStatus ?? null;
    this.retryable = error.retryable;
    this.mayHaveReachedService = error.mayHaveReachedService;
    this.requestId = error.requestId ?? null;
    this.retryAfterMs = error.retryAfterMs ?? null;
    this.detail = error.detail ?? null;
    this.cause = error.evidence;
    this.#fields = error.fields ?? {};
  }

  /** Other fields of the error response, such as the userUid of MutationConfigFailed. May contain personal data. */
  get fields(): Readonly<Record<string, unknown>> {
    return this.#fields;
  }
}
