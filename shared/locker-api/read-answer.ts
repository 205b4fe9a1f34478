// From the HTTP answer to the operation's result or a LockerApiError: the one place that says what an answer tells
// of the call's outcome (architecture: Unknown outcome).
import { type AnswerWith, ContractError, type ErrorCode, errorRow } from '../../contract/index.ts';
import { retryAfterMs } from '../limits/retry-after.ts';
import type { HttpAnswer } from './http-exchange.ts';
import { type CalledOperation, LockerApiError } from './locker-api-error.ts';
import { cut, evidence, redact } from './redact-response.ts';

// Statuses that HTTP itself makes a refusal before anything is done, so that no envelope is needed to believe them.
// A 400 or 403 may come from a filter that looked at the service's answer: without an envelope it proves nothing.
const refusedByStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'Unauthorized',
  404: 'UnknownOperation',
  405: 'UnknownOperation',
  413: 'PayloadTooLarge',
  429: 'RateLimitExceeded',
};

// Far more than any known code or request id has; a failure of Temporal must not grow with what a service sends.
const CODE_LENGTH = 100;
const HEADER_LENGTH = 200;

/** What no error may show. */
interface Secrets {
  /** The client secret and the tokens used. */
  readonly credentials: readonly string[];
  /** The request's own texts, which a proxy's or a framework's page may echo. */
  readonly request: readonly string[];
}

export function readAnswer<Content>(
  operation: CalledOperation,
  answer: HttpAnswer,
  secrets: Secrets,
  parse: (body: unknown) => AnswerWith<Content>,
): Content {
  const read = readEnvelope(answer, parse);
  if (typeof read === 'string') throw notUnderstood(operation, answer, read, secrets);
  if (!read.success) throw refused(operation, answer, read, secrets);
  if (answer.status < 200 || answer.status > 299)
    throw notUnderstood(operation, answer, `success is true with HTTP ${answer.status}`, secrets);
  return read.response;
}

/**
 * The envelope, or why there is none. The content type is shown but not checked: an answer that reads as the
 * interface's is one, and to refuse it would make a known outcome unknown.
 */
function readEnvelope<Content>(
  answer: HttpAnswer,
  parse: (body: unknown) => AnswerWith<Content>,
): AnswerWith<Content> | string {
  try {
    return parse(JSON.parse(new TextDecoder().decode(answer.body)));
  } catch (error) {
    if (error instanceof ContractError) return error.message;
    if (!(error instanceof SyntaxError)) throw error;
    return answer.body.byteLength === 0 ? 'the body is empty' : 'the body is not JSON';
  }
}

function notUnderstood(
  operation: CalledOperation,
  answer: HttpAnswer,
  reason: string,
  secrets: Secrets,
): LockerApiError {
  const { status } = answer;
  const refusal = refusedByStatus[status];
  const redirect = status >= 300 && status <= 399;
  const what = redirect ? 'a redirect, which is not followed with the access token' : reason;
  const shown = evidence(what, answer, [...secrets.credentials, ...secrets.request]);
  return new LockerApiError({
    ...common(operation, answer),
    code: refusal ?? 'InvalidResponse',
    message: `HTTP ${status} (${shown.contentType ?? 'no content type'}) is not an answer of the interface: ${shown.reason}`,
    retryable: refusal
      ? (errorRow(refusal)?.retryable ?? false)
      : status < 300 || status >= 500 || status === 408,
    mayHaveReachedService: refusal ? 'yes' : 'unknown',
    evidence: shown,
  });
}

function refused(
  operation: CalledOperation,
  answer: HttpAnswer,
  refusal: Exclude<AnswerWith<unknown>, { success: true }>,
  secrets: Secrets,
): LockerApiError {
  const row = errorRow(refusal.error);
  const code = cut(refusal.error, CODE_LENGTH);
  // A service that answers every failure with 200 still tells by its code that it failed inside.
  const unknown = answer.status >= 500 || (row !== undefined && row.status >= 500);
  const detail = refusal.message ? redact(refusal.message, secrets.credentials) : null;
  return new LockerApiError({
    ...common(operation, answer),
    code,
    message: redact([code, refusal.message].filter(Boolean).join(': '), secrets.credentials),
    detail,
    retryable: row?.retryable ?? answer.status >= 500,
    mayHaveReachedService: unknown ? 'unknown' : 'yes',
    fields: refusal.fields,
  });
}

function common(operation: CalledOperation, answer: HttpAnswer) {
  const requestId =
    answer.header('x-request-id') ?? answer.header('request-id') ?? answer.header('x-correlation-id');
  return {
    operation,
    httpStatus: answer.status,
    requestId: requestId === null ? null : cut(requestId, HEADER_LENGTH),
    retryAfterMs: retryAfterMs(answer.header('retry-after'), answer.header('date')),
  };
}
