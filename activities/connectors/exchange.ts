// One request through a connector, and what its answer or the lack of one tells of its outcome. No redirect is followed.
import { ApplicationFailure } from '@temporalio/activity';
import type { Dispatcher } from 'undici';
import type { Json } from '../../flows/language/flow-file.ts';
import { retryAfterMs } from '../../shared/limits/retry-after.ts';
import { TimeLimit } from '../../shared/limits/time-limit.ts';
import {
  type HttpAnswer,
  HttpExchangeError,
  type HttpRequest,
  httpExchange,
} from '../../shared/locker-api/http-exchange.ts';
import { evidence, redact } from '../../shared/locker-api/redact-response.ts';
import type { AllowedCalls, Connector } from '../../shared/settings/connectors.ts';
import { carrier, inSpan, untraced } from '../../shared/telemetry/spans.ts';

// What a file keeps is some kilobytes; without a bound a wrong answer could take the worker's memory.
const MAXIMUM_ANSWER_BYTES = 1_000_000;
// A peer's wrong clock must not stop a process for days.
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
  const shown = evidence(`HTTP ${status}`, answer, secrets);
  const common = {
    detail: { status, evidence: shown },
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

// Where a call goes: always below the connector's own address, whatever stands in the file or comes in by an expression.

const LONGEST_PATH = 2_000;
/** Characters that a path may have as they are. */
const plain = new Map(
  ['%3A', '%40', '%2C', '%24', '%26', '%2B', '%3B', '%3D'].map((code) => [code, decodeURIComponent(code)]),
);

/**
 * The parts of a path, decoded. Throws a TypeError for one that could mean another place than it shows: `..` and slashes
 * in any encoding, a query, a fragment.
 */
export function partsOfPath(path: string): string[] {
  if (!path.startsWith('/')) throw new TypeError('path must begin with /');
  if (path.length > LONGEST_PATH) throw new TypeError(`path must have at most ${LONGEST_PATH} characters`);
  if (/[?#]/.test(path)) throw new TypeError('path must have no ? and no #; parameters stand in query');
  if (path === '/') return [];
  return path.slice(1).split('/').map(decodedPart);
}

function decodedPart(part: string, index: number, { length }: readonly string[]): string {
  const decoded = decodedText(part);
  if (decoded === '' && index < length - 1) throw new TypeError('path must not have two slashes in a row');
  const [beforeParameters = ''] = decoded.split(';');
  if (['.', '..'].includes(beforeParameters.trim()))
    throw new TypeError('path must not have a part . or .. in any encoding');
  if (/[/\\\p{Cc}]|%(?:2e|2f|5c)/iu.test(decoded))
    throw new TypeError(
      'a part of the path must have no slash, no backslash and no control character in any encoding',
    );
  return decoded;
}

function decodedText(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new TypeError('path has a % that begins no encoded character; write %25 for it');
  }
}

export function isAllowed(allow: readonly AllowedCalls[], method: string, parts: readonly string[]): boolean {
  return allow.some(({ methods, path }) => methods.includes(method) && matches(partsOfPath(path), parts));
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '**';
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? parts.length < fixed.length : parts.length !== fixed.length) return false;
  return fixed.every((each, index) => each === parts[index] || (each === '*' && parts[index] !== ''));
}

export function urlBelow(
  { address }: Connector,
  parts: readonly string[],
  query: readonly (readonly [string, string])[] = [],
): URL {
  const url = new URL(address);
  const base = url.pathname.replace(/\/$/, '');
  const pathname = parts.length === 0 ? url.pathname : `${base}/${parts.map(encodedPart).join('/')}`;
  url.pathname = pathname;
  for (const [name, value] of query) url.searchParams.append(name, value);
  if (url.origin !== address.origin || url.pathname !== pathname)
    throw new TypeError('path leads away from the connector');
  return url;
}

const encodedPart = (part: string): string =>
  encodeURIComponent(part).replace(/%[0-9A-F]{2}/g, (code) => plain.get(code) ?? code);

/** Throws a TypeError for a query that is not a flat map. */
export function parametersOf(query: Json = null): [string, string][] {
  if (query === null) return [];
  if (typeof query !== 'object' || Array.isArray(query))
    throw new TypeError('query must be parameters by name');
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === null) return [];
    if (typeof value === 'object')
      throw new TypeError(`query.${name} must be a text, a number, true or false, or null`);
    return [[name, String(value)]];
  });
}
