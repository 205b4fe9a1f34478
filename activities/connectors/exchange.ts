// One request through a connector, and what its answer or the lack of one tells of its outcome. No redirect is followed.

import { ApplicationFailure } from '@temporalio/activity';
import type { Dispatcher } from 'undici';
import { retryAfterMs } from '../../shared/limits/retry-after.ts';
import { TimeLimit } from '../../shared/limits/time-limit.ts';
import {
  type HttpAnswer,
  HttpExchangeError,
  type HttpRequest,
  httpExchange,
} from '../../shared/locker-api/http-exchange.ts';
import { evidence, redact } from '../../shared/locker-api/redact-response.ts';
import type { Connector } from '../../shared/settings/connectors.ts';
import { carrier, inSpan, untraced } from '../../shared/telemetry/spans.ts';

// What a file keeps is some kilobytes; without a bound a wrong answer could take the worker's memory.
const MAXIMUM_ANSWER_BYTES = 1_000_000;
// A service's wrong clock must not stop a process for days.
const LONGEST_RETRY_DELAY_MS = 3_600_000;

interface ConnectorErrorFields {
  readonly code: string;
  readonly message: string;
  /** nothing: it was not carried out. refused: the other side said no. done: it was, but its answer is of no use. */
  readonly outcome: 'nothing' | 'refused' | 'unknown' | 'done';
  readonly retryAfterMs?: number | null;
  readonly detail?: object;
}

export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly outcome: ConnectorErrorFields['outcome'];
  readonly #fields: ConnectorErrorFields;

  constructor(fields: ConnectorErrorFields) {
    super(fields.message);
    this.outcome = fields.outcome;
    this.#fields = fields;
  }

  /** By its code, or by the HTTP status. */
  isOneOf(refusals: readonly (string | number)[]): boolean {
    const { code, detail } = this.#fields;
    const { status } = (detail ?? {}) as { readonly status?: number };
    return refusals.some((each) => each === code || each === status);
  }

  /**
   * For Temporal. It repeats what did nothing, and what may have been done: the caller has judged that before. `isRepeated`:
   * it repeats the others too.
   */
  failure({ isRepeated = false } = {}): ApplicationFailure {
    const { code, message, outcome, detail } = this.#fields;
    const nonRetryable = !isRepeated && (outcome === 'refused' || outcome === 'done');
    const delay = this.#fields.retryAfterMs;
    return ApplicationFailure.create({
      type: code,
      message,
      nonRetryable,
      ...(detail && { details: [detail] }),
      ...(!nonRetryable && delay && { nextRetryDelay: Math.min(delay, LONGEST_RETRY_DELAY_MS) }),
      ...(nonRetryable && { category: 'BENIGN' as const }),
    });
  }
}

/** An answer of success. Throws ConnectorError. */
export function exchange(
  dispatcher: Dispatcher,
  connector: Connector,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const { name, timeoutMs } = connector;
  const method = request.method ?? 'POST';
  // Neither address nor path: the one may be a secret, the other holds what the process knows of people.
  const attributes = { 'lockerflow.connector': name, 'http.request.method': method };
  return inSpan(`${method} ${name}`, { kind: 'client', attributes }, async (span) => {
    using limit = new TimeLimit(timeoutMs);
    const limits = { signal: limit.signal, maximumAnswerBytes: MAXIMUM_ANSWER_BYTES };
    const headers = { ...request.headers, ...carrier(span) };
    const answer = await untraced(() => httpExchange(dispatcher, { ...request, headers }, limits)).catch(
      (error: unknown) => {
        throw error instanceof HttpExchangeError ? transportError(connector, error) : error;
      },
    );
    span.setAttribute('http.response.status_code', answer.status);
    if (answer.status >= 200 && answer.status <= 299) return answer;
    throw statusError(connector, answer);
  });
}

function transportError({ name, timeoutMs, secrets }: Connector, error: HttpExchangeError): ConnectorError {
  const { failure, sent, status } = error;
  const reason =
    failure === 'Stopped' ? `no whole answer within ${timeoutMs} ms` : redact(error.message, secrets);
  // The status came before the rest of the answer.
  if (
    status !== null &&
    status >= 200 &&
    status <= 299 &&
    (failure === 'TooLarge' || failure === 'Undecodable')
  )
    return new ConnectorError({
      code: failure === 'TooLarge' ? 'AnswerTooLarge' : 'AnswerNotReadable',
      message: `${name}: the call was carried out (HTTP ${status}), but ${reason}`,
      outcome: 'done',
    });
  if (!sent)
    return new ConnectorError({
      code: 'Unreachable',
      message: `${name} cannot be reached (${reason})`,
      outcome: 'nothing',
    });
  return new ConnectorError({
    code: 'AnswerLost',
    message: `${name} gave no usable answer (${reason})`,
    outcome: 'unknown',
  });
}

function statusError({ name, secrets }: Connector, answer: HttpAnswer): ConnectorError {
  const { status } = answer;
  const response = evidence(`HTTP ${status}`, answer, secrets);
  const common = {
    detail: { status, evidence: response },
    retryAfterMs: retryAfterMs(answer.header('retry-after'), answer.header('date')),
  };
  if (status === 401)
    return new ConnectorError({
      ...common,
      code: 'Unauthorized',
      outcome: 'nothing',
      message: `${name} refuses the credentials (HTTP 401); the operator must repair them, and restart the worker`,
    });
  if (status === 429)
    return new ConnectorError({
      ...common,
      code: 'RateLimitExceeded',
      outcome: 'nothing',
      message: `${name} takes no more calls for now (HTTP 429)`,
    });
  if (status >= 500 || status === 408)
    return new ConnectorError({
      ...common,
      code: 'ServiceFailed',
      outcome: 'unknown',
      message: `${name} answered HTTP ${status}`,
    });
  const redirect = status < 400 ? '; a redirect is not followed' : '';
  return new ConnectorError({
    ...common,
    code: 'CallRefused',
    outcome: 'refused',
    message: `${name} answered HTTP ${status}${redirect}`,
  });
}
