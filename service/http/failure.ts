// The one error mapper: it turns every error into the envelope, with the status from the contract's error table.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { ContractError, type ErrorCode, encodeFailure, errors } from '../../contract/index.ts';
import { bodyOverLimit, isBodyOverLimit } from '../../contract/wire/body-limit.ts';
import { shortened } from '../../contract/wire/format-issue.ts';
import { overloaded, Refusal } from '../refusal.ts';
import { REQUEST_ID_HEADER } from './observed-requests.ts';

// Whether the database had no connection for a request: all connections of the pool or of the server are in use. The
// statement was not sent. The pool gives no code.
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
const TOO_MANY_CONNECTIONS = '53300';

const isOverload = (error: unknown): boolean =>
  (error instanceof Error && error.message === POOL_TIMEOUT) ||
  (error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS);

interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function failure(code: ErrorCode, message: string | null, fields: object = {}): Failure {
  return { status: errors[code].status, code, body: encodeFailure(code, message, fields) };
}

const failureOfRefusal = ({ code, message, fields, status, headers }: Refusal): Failure => ({
  ...failure(code, message, fields),
  status,
  headers,
});

/** A known refusal keeps its message. Any other error is logged in full and answered without internal details. */
export function failureOf(error: unknown, request: FastifyRequest): Failure {
  const { log } = request;
  if (error instanceof Refusal) {
    if (error.cause) log.warn({ err: error.cause }, 'request refused');
    return failureOfRefusal(error);
  }
  if (error instanceof ContractError && error.code !== 'InvalidResponse')
    return failure(error.code, error.message);
  const framework = frameworkFailure(error, request);
  if (framework) return framework;
  if (isOverload(error)) {
    log.warn({ err: error }, 'no database connection was free');
    return failureOfRefusal(overloaded('The service has too much to do'));
  }
  log.error({ err: error }, 'request failed');
  return failure('InternalError', null);
}

/** Fastify's codes of a body that it cannot read. */
const bodyMessages: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty: send a JSON object',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON: send a JSON object',
};

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** What fastify refuses by itself, before any handler: a body that is too large, broken or of another type. */
function frameworkFailure(error: unknown, { routeOptions }: FastifyRequest): Failure | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  if (isBodyOverLimit(error)) return failure('PayloadTooLarge', bodyOverLimit(routeOptions.bodyLimit));
  if (error.statusCode === 413) return failure('PayloadTooLarge', null);
  if (error.statusCode === 415)
    return failure('InvalidRequest', 'Content-Type must be application/json, with a JSON body');
  if (typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500)
    return failure(
      'InvalidRequest',
      bodyMessages[codeOf(error)] ?? `The request cannot be read: ${error.message}`,
    );
  return undefined;
}

// Failures outside of any handler: unknown paths and methods, unreadable URLs, broken HTTP. Each is the envelope too.

export function sendFailure(
  reply: FastifyReply,
  { status, code, body, headers = {} }: Failure,
): FastifyReply {
  reply.request.failureCode = code;
  return reply.code(status).headers(headers).send(body);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const LONGEST_PATH = 200;

// The router would take such a path for that of a route, and compile what a stranger has sent as a regular expression.
const PATTERN = /[:*]/;

/** No such path, or not with this method (assumptions: The wire: 404, 405 with Allow). */
export function notFoundAnswer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const allowed = PATTERN.test(path)
    ? []
    : METHODS.filter((method) => request.server.hasRoute({ method, url: path }));
  if (allowed.length === 0)
    return sendFailure(
      reply,
      failure(
        'UnknownOperation',
        `There is no operation at ${shortened(path, LONGEST_PATH)}; /openapi.json lists the operations`,
      ),
    );
  const allow = allowed.join(', ');
  const known = failure('UnknownOperation', `This path takes ${allow}, not ${request.method}`);
  return sendFailure(reply, { ...known, status: 405, headers: { allow } });
}

export const errorAnswers = {
  frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header(REQUEST_ID_HEADER, request.id);
    sendFailure(reply, failureOf(error, request));
  },
  clientErrorHandler: answerBrokenHttp,
};

/** The only expectation that HTTP knows is 100-continue; node would refuse another with an empty body. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { body } = failure('InvalidRequest', 'The Expect header must be 100-continue, or absent');
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': JSON_TYPE, 'content-length': bytes.length, connection: 'close' };
  response.writeHead(417, headers).end(bytes);
}

const NOT_HTTP = ['400 Bad Request', 'The request is not valid HTTP'] as const;
const brokenHttp: Readonly<Record<string, readonly [statusLine: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large'],
};

/** Bytes that are not an HTTP request: there is no reply object, so the envelope is written by hand. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [statusLine, message] = brokenHttp[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify(failure('InvalidRequest', message).body);
  const head = [
    `HTTP/1.1 ${statusLine}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
