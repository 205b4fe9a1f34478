// Failures outside of any handler: unknown paths and methods, unreadable URLs, broken HTTP. Each is the envelope too.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { shortened } from '../../contract/wire/format-issue.ts';
import { type Failure, failure, failureOf } from './failure.ts';
import { REQUEST_ID_HEADER } from './observed-requests.ts';

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
