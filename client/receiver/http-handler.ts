// Callbacks over node:http, for our receiver and for other servers: reads the raw body within limits of size and time.
// A callback is answered without a body, but for one that is too large: the answer names the limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOverLimit } from '../../contract/wire/body-limit.ts';
import { inSpan } from '../../shared/telemetry/spans.ts';
import type { CallbackAnswer, ReceiveCallback } from './receive-callback.ts';

interface HttpHandlerOptions {
  readonly bodyLimitBytes: number;
  /** Milliseconds for the whole body to arrive: a slow sender must not keep a connection for ever. */
  readonly bodyTimeoutMs?: number;
  /** Called after a failure of the receiver itself; the answer was 500. Without it, Node prints a warning. */
  readonly onError?: (error: unknown) => void;
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** For the route that callbacks are posted to; the server must not have read the body before. */
export function callbackHandler(
  receive: ReceiveCallback,
  { bodyLimitBytes, bodyTimeoutMs = 10_000, onError = warn }: HttpHandlerOptions,
): HttpHandler {
  const answerTo = async (request: IncomingMessage): Promise<CallbackAnswer | null> => {
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const body = await readBody(request, bodyLimitBytes, bodyTimeoutMs);
    if (body === 'tooLarge') return { status: 413, headers: TEXT, text: bodyOverLimit(bodyLimitBytes) };
    if (body === 'tooSlow') return { status: 408, headers: {} };
    if (body === 'gone') return null;
    return receive(request.headers, body);
  };
  return async (request, response) => {
    // Never throws: the caller is an event handler, and an error there would end the process.
    const answer = await inSpan('callback', { kind: 'server', from: request.headers }, (span) =>
      answerTo(request)
        .catch((error: unknown): CallbackAnswer => {
          onError(error);
          return { status: 500, headers: {} };
        })
        .then((given) => {
          if (given) span.setAttribute('http.response.status_code', given.status);
          return given;
        }),
    );
    if (!answer) return;
    // Does not wait for the rest of a body that is too large.
    if (!request.complete) response.setHeader('connection', 'close');
    const { status, headers, text = '' } = answer;
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
    response.writeHead(status, { ...headers, ...length }).end(text);
  };
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

const warn = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error));

function readBody(
  request: IncomingMessage,
  limit: number,
  timeoutMs: number,
): Promise<Uint8Array | 'tooLarge' | 'tooSlow' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => finish('tooSlow'), timeoutMs);
    const finish = (result: Uint8Array | 'tooLarge' | 'tooSlow' | 'gone') => {
      clearTimeout(timer);
      request.removeAllListeners('data');
      resolve(result);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) finish('tooLarge');
      else chunks.push(chunk);
    });
    request.once('end', () => finish(Buffer.concat(chunks)));
    request.once('close', () => finish('gone'));
    request.once('error', () => finish('gone'));
  });
}
