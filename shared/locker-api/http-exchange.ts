// One HTTP request and its whole answer, within bounds. Knows nothing of the interface; what it adds to undici is
// whether the request was begun when it failed, and that no answer can grow beyond a limit. Follows no redirect.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { redact } from './redact-response.ts';

export interface HttpRequest {
  readonly url: URL;
  /** POST if not given. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

interface HttpLimits {
  /** Ends the exchange; its reason decides between a time-out and the caller's abort. */
  readonly signal: AbortSignal;
  readonly maximumAnswerBytes: number;
}

export class HttpExchangeError extends Error {
  override readonly name = 'HttpExchangeError';
  readonly failure: 'NotSent' | 'Cut' | 'Stopped' | 'TooLarge' | 'Undecodable';
  /** False only when not one byte of the request can have left. */
  readonly sent: boolean;
  readonly status: number | null;

  constructor(failure: HttpExchangeError['failure'], sent: boolean, status: number | null, reason: string) {
    super(reason);
    this.failure = failure;
    this.sent = sent;
    this.status = status;
  }
}

/** Without a connection there are no words of a service: the address and port are of use to whoever reads it. */
export const shownReason = (error: Error, secrets: readonly string[]): string =>
  error instanceof HttpExchangeError && error.failure === 'NotSent'
    ? error.message
    : redact(error.message, secrets);

export async function httpExchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: HttpLimits,
): Promise<HttpAnswer> {
  const answer = await received(dispatcher, request, limits);
  return { ...answer, body: await decoded(answer, limits.maximumAnswerBytes) };
}

function received(dispatcher: Dispatcher, request: HttpRequest, limits: HttpLimits): Promise<HttpAnswer> {
  const { signal, maximumAnswerBytes } = limits;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | null = null;
    let headers: Readonly<Record<string, string | string[] | undefined>> = {};
    const chunks: Uint8Array[] = [];
    let bytes = 0;

    const fail = (failure: HttpExchangeError['failure'], reason: string) => {
      signal.removeEventListener('abort', stop);
      reject(new HttpExchangeError(failure, controller !== undefined, status, reason));
    };
    const stop = () => {
      const reason = new Error('the exchange was stopped');
      fail('Stopped', reason.message);
      controller?.abort(reason);
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });

    dispatcher.dispatch(
      {
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method ?? 'POST',
        headers: { ...request.headers, 'accept-encoding': 'gzip' },
        body: request.body,
        // The signal alone bounds the time: undici's own limits would start anew with each piece of a slow drip.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        // Called before the first byte is written, on a connection that stands: nothing before it can have arrived.
        onRequestStart(started) {
          if (signal.aborted) return started.abort(new Error('stopped before it was sent'));
          controller = started;
        },
        onResponseStart(_, code, fields) {
          status = code;
          headers = fields;
        },
        onResponseData(active, chunk) {
          bytes += chunk.byteLength;
          if (bytes <= maximumAnswerBytes) return void chunks.push(chunk);
          const reason = new Error(`the answer is larger than ${maximumAnswerBytes} bytes`);
          fail('TooLarge', reason.message);
          active.abort(reason);
        },
        onResponseEnd() {
          signal.removeEventListener('abort', stop);
          const header = (name: string) => {
            const value = headers[name];
            return (Array.isArray(value) ? value[0] : value) ?? null;
          };
          const contentType = header('content-type');
          resolve({ status: status ?? 0, header, headers, contentType, body: Buffer.concat(chunks) });
        },
        onResponseError(_, error) {
          fail(controller === undefined ? 'NotSent' : 'Cut', describedTransportError(error));
        },
      },
    );
  });
}

const gunzipped = promisify(gunzip);

async function decoded(answer: HttpAnswer, maximumAnswerBytes: number): Promise<Uint8Array> {
  const encoding = answer.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || answer.body.byteLength === 0) return answer.body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new HttpExchangeError('Undecodable', true, answer.status, `unknown content encoding ${encoding}`);
  try {
    return await gunzipped(answer.body, { maxOutputLength: maximumAnswerBytes });
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    const reason = tooLarge
      ? `the answer is larger than ${maximumAnswerBytes} bytes`
      : 'the answer is not gzip';
    throw new HttpExchangeError(tooLarge ? 'TooLarge' : 'Undecodable', true, answer.status, reason);
  }
}

/** The code and text alone: an error of the HTTP parser carries bytes of the answer. */
function describedTransportError(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  // A host with several addresses: each was tried.
  const each = error instanceof AggregateError ? error.errors.map((one: Error) => one.message) : [];
  const message = error.message || each.join('; ') || 'no connection';
  return message.includes(code) ? message : `${code}: ${message}`;
}
