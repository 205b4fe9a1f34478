// The one error of the API client: every way in which a call can fail, with what a caller must know to go on.
// It never holds a token, a secret or an access code; what it shows of an answer is masked and bounded.
import type { OperationName } from '../../contract/index.ts';
import type { Evidence } from './evidence.ts';

/** The client's own codes, beside those that the service answers with. The list is closed. */
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

/** no: nothing was done. yes: the service said so itself, definitely. unknown: it may or may not have been done. */
export type Reached = 'no' | 'unknown' | 'yes';

/** What is called beside the operations: the clock of a tenant in staging. */
export const SANDBOX_CLOCK = 'sandbox/clock';
export type Called = OperationName | typeof SANDBOX_CLOCK;

export interface LockerApiErrorFields {
  readonly operation: Called;
  /** The service's own code as sent, one of its codes by HTTP status, or one of clientErrors. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string | null | undefined;
  readonly httpStatus?: number | null | undefined;
  readonly retryable: boolean;
  readonly mayHaveReachedService: Reached;
  readonly requestId?: string | null | undefined;
  readonly retryAfterMs?: number | null | undefined;
  readonly evidence?: Evidence | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

export class LockerApiError extends Error {
  override readonly name = 'LockerApiError';
  readonly operation: Called;
  readonly code: string;
  readonly httpStatus: number | null;
  /** Whether the same call may succeed later without any other change; says nothing of its outcome. */
  readonly retryable: boolean;
  readonly mayHaveReachedService: Reached;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  /** What the service itself said, without the operation and the code; null: it said nothing. */
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

  /** What else a failing answer carried, such as the userUid with MutationConfigFailed. May hold personal data. */
  get fields(): Readonly<Record<string, unknown>> {
    return this.#fields;
  }
}
