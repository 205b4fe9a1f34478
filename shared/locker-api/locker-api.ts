// The client of the locker API: one generic call for all operations of the contract. Every outcome is the
// operation's response or a LockerApiError. It never repeats a call but once after a 401, which did nothing.
import { Agent, type Dispatcher } from 'undici';
import {
  type AnswerWith,
  type ClockChange,
  ContractError,
  encodeRequest,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKey as idempotencyKeySchema,
  ON_BEHALF_OF_HEADER,
  type OperationName,
  operationRow,
  parseAnswer,
  parseClockAnswer,
  REASON_HEADER,
  type Request,
  type Response,
  type SandboxClock,
  toOnBehalfOf,
  toReason,
} from '../../contract/index.ts';
import { TimeLimit, TimeLimitReached } from '../limits/time-limit.ts';
import { accessToken, TokenError } from './access-token.ts';
import { type HttpAnswer, HttpExchangeError, httpExchange, shownReason } from './http-exchange.ts';
import { type CalledOperation, clientErrors, LockerApiError, SANDBOX_CLOCK } from './locker-api-error.ts';
import { readAnswer } from './read-answer.ts';
import type { TokenCache } from './token-cache.ts';

export interface LockerApiOptions {
  /** {base_url} of the interface, with or without a path of its own. */
  readonly apiUrl: string;
  /** {auth_url} of the interface. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For a whole call, its token included. */
  readonly timeoutMs?: number;
  readonly maximumAnswerBytes?: number;
  /** What sends the requests, such as one for a proxy; connections of its own if not given. */
  readonly dispatcher?: Dispatcher;
}

export interface CallOptions {
  /** Ends the call; whether it was carried out is then unknown once it was sent. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Within 24 hours the same key and body get the first success again, where the service knows the header. */
  readonly idempotencyKey?: string | undefined;
  /** The person for whom it is done: the service keeps the name in its audit log, where it knows the header. */
  readonly onBehalfOf?: string | undefined;
  /** Why, in the same way. */
  readonly why?: string | undefined;
}

// A service that is slower than this has lost its caller's patience; a booking takes milliseconds.
const DEFAULT_TIMEOUT_MS = 30_000;
// A page of 500 shipments is some 200 kB; without a bound a wrong answer could take the worker's memory.
const DEFAULT_MAXIMUM_ANSWER_BYTES = 10_000_000;
// Calls beyond this wait for a connection, so that a burst of flows does not open thousands at once.
const CONNECTIONS_PER_ORIGIN = 64;

export class LockerApi implements AsyncDisposable {
  readonly #apiUrl: URL;
  readonly #clientSecret: string;
  /** For a whole call, unless it says otherwise. */
  readonly timeoutMs: number;
  readonly #maximumAnswerBytes: number;
  readonly #dispatcher: Dispatcher;
  /** Closed with it, unlike one that it was given. */
  readonly #ownAgent: Agent | null;
  readonly #accessToken: TokenCache;

  constructor(options: LockerApiOptions) {
    this.#apiUrl = httpUrl('apiUrl', options.apiUrl);
    this.#ownAgent = options.dispatcher ? null : new Agent({ connections: CONNECTIONS_PER_ORIGIN });
    this.#dispatcher = options.dispatcher ?? (this.#ownAgent as Agent);
    this.#clientSecret = options.clientSecret;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#maximumAnswerBytes = options.maximumAnswerBytes ?? DEFAULT_MAXIMUM_ANSWER_BYTES;
    this.#accessToken = accessToken(this.#dispatcher, {
      authUrl: httpUrl('authUrl', options.authUrl),
      clientId: options.clientId,
      clientSecret: options.clientSecret,
      timeoutMs: this.timeoutMs,
    });
  }

  /** Calls an operation. Throws LockerApiError. */
  async call<Name extends OperationName>(
    operation: Name,
    request: Request<Name>,
    options: CallOptions = {},
  ): Promise<Response<Name>> {
    const encoded = encodedRequest(operation, request);
    return await this.#called(operation, operationRow(operation).path, encoded, options, (body) =>
      parseAnswer(operation, body),
    );
  }

  /**
   * The same calls, for a person, unless a call names another: the service keeps the name in its audit log, where it knows the
   * header.
   */
  onBehalfOf(person: string): Pick<LockerApi, 'call'> {
    return {
      call: (operation, request, options) =>
        this.call(operation, request, { onBehalfOf: person, ...options }),
    };
  }

  /** The tenant's clock in a service in staging, after the change. Throws LockerApiError. */
  async sandboxClock(
    change: ClockChange = {},
    options: Pick<CallOptions, 'signal'> = {},
  ): Promise<SandboxClock> {
    return await this.#called(SANDBOX_CLOCK, `/${SANDBOX_CLOCK}`, change, options, parseClockAnswer);
  }

  async #called<Content>(
    operation: CalledOperation,
    path: string,
    encoded: unknown,
    options: CallOptions,
    parse: (body: unknown) => AnswerWith<Content>,
  ): Promise<Content> {
    const headers = headersOf(options);
    const { signal, timeoutMs = this.timeoutMs } = options;
    using limit = new TimeLimit(timeoutMs, ...(signal ? [signal] : []));
    const credentials = [this.#clientSecret];
    try {
      const answer = await this.#answer(path, await requestBody(encoded), limit, headers, credentials);
      return readAnswer(operation, answer, { credentials, request: textValues(encoded) }, parse);
    } catch (error) {
      throw callError(operation, error, limit, credentials);
    }
  }

  /** Waits for the calls under way, then closes the connections. */
  async close(): Promise<void> {
    if (this.#ownAgent && !this.#ownAgent.closed) await this.#ownAgent.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @param credentials gets the tokens used, so that what is shown later can be redacted */
  async #answer(
    path: string,
    body: RequestBody,
    limit: TimeLimit,
    headers: Readonly<Record<string, string>>,
    credentials: string[],
  ): Promise<HttpAnswer> {
    const send = async () => {
      const token = await limit.race(this.#accessToken.get());
      credentials.push(token);
      const answer = await httpExchange(
        this.#dispatcher,
        {
          url: new URL(this.#apiUrl.href.replace(/\/$/, '') + path),
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            'content-type': body.contentType,
            ...headers,
          },
          body: body.body,
        },
        { signal: limit.signal, maximumAnswerBytes: this.#maximumAnswerBytes },
      );
      if (answer.status === 401) this.#accessToken.discard(token);
      return answer;
    };
    const first = await send();
    return first.status === 401 ? await send() : first;
  }
}

function encodedRequest<Name extends OperationName>(operation: Name, request: Request<Name>): unknown {
  try {
    return encodeRequest(operation, request);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new LockerApiError({
      operation,
      code: error.code,
      message: `${error.code}: ${error.message}`,
      retryable: false,
      mayHaveReachedService: 'no',
      evidence: { reason: error.message },
    });
  }
}

const failureCodes = {
  NotSent: 'Unreachable',
  Cut: 'ConnectionLost',
  TooLarge: 'ResponseTooLarge',
  Undecodable: 'InvalidResponse',
} as const;

function callError(
  operation: CalledOperation,
  error: unknown,
  limit: TimeLimit,
  credentials: string[],
): unknown {
  if (error instanceof TokenError)
    return new LockerApiError({
      operation,
      code: error.code,
      message: error.message,
      httpStatus: error.httpStatus,
      retryable: clientErrors[error.code].retryable,
      mayHaveReachedService: 'no',
      retryAfterMs: error.retryAfterMs,
      evidence: error.evidence,
    });
  const stopped = error instanceof TimeLimitReached;
  if (!stopped && !(error instanceof HttpExchangeError)) return error;
  const sent = !stopped && error.sent;
  const code =
    stopped || error.failure === 'Stopped' ? (limit.stoppedBy ?? 'Aborted') : failureCodes[error.failure];
  const reason =
    code === 'TimedOut' ? `no whole answer within ${limit.milliseconds} ms` : shownReason(error, credentials);
  return new LockerApiError({
    operation,
    code,
    message: `${clientErrors[code].meaning} (${reason})`,
    httpStatus: stopped ? null : error.status,
    retryable: clientErrors[code].retryable,
    mayHaveReachedService: sent ? 'unknown' : 'no',
    evidence: { reason },
  });
}

function headersOf({ idempotencyKey, onBehalfOf, why }: CallOptions): Record<string, string> {
  const key = checkedKey(idempotencyKey);
  const reason = why === undefined ? undefined : toReason(why);
  return {
    ...(key !== undefined && { [IDEMPOTENCY_KEY_HEADER]: key }),
    ...(onBehalfOf !== undefined && { [ON_BEHALF_OF_HEADER]: toOnBehalfOf(onBehalfOf) }),
    ...(reason !== undefined && { [REASON_HEADER]: reason }),
  };
}

/** A key that no header can carry would fail each time as if the service could not be reached. */
function checkedKey(key: string | undefined): string | undefined {
  if (key !== undefined && !idempotencyKeySchema.safeParse(key).success)
    throw new TypeError('idempotencyKey must have 1 to 255 visible ASCII characters');
  return key;
}

/** Every text in a request: a page that echoes the request must not bring personal data into an error. */
function textValues(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 3 ? [value] : [];
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return Object.values(value).flatMap(textValues);
}

function httpUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new TypeError(`${option} must be an http or https address without credentials, query and fragment`);
  return url;
}

interface RequestBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** A file makes it a form. */
async function requestBody(request: unknown): Promise<RequestBody> {
  if (!Object.values(Object(request)).some(isFile))
    return { contentType: 'application/json', body: JSON.stringify(request) };
  const form = new FormData();
  for (const [name, part] of Object.entries(Object(request)))
    form.set(name, isFile(part) ? new File([part.content], part.name) : JSON.stringify(part));
  const encoded = new Response(form);
  return {
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

interface FilePart {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

function isFile(part: unknown): part is FilePart {
  return typeof part === 'object' && part !== null && 'content' in part && part.content instanceof Uint8Array;
}
