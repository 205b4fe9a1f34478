// The one error mapper: it turns every error into the envelope, with the status from the contract's error table.
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { ContractError, type ErrorCode, encodeFailure, errors } from '../../contract/index.ts';
import { bodyOverLimit, isBodyOverLimit } from '../../contract/wire/body-limit.ts';
import { ApiError, overloaded } from '../api-error.ts';

// Whether the database had no connection for a request: all connections of the pool or of the server are in use. The
// statement was not sent. The pool gives no code.
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
const TOO_MANY_CONNECTIONS = '53300';

const isOverload = (error: unknown): boolean =>
  (error instanceof Error && error.message === POOL_TIMEOUT) ||
  (error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS);

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function failure(code: ErrorCode, message: string | null, fields: object = {}): Failure {
  return { status: errors[code].status, code, body: encodeFailure(code, message, fields) };
}

const failureOfApiError = ({ code, message, fields, status, headers }: ApiError): Failure => ({
  ...failure(code, message, fields),
  status,
  headers,
});

/** A known refusal keeps its message. Any other error is logged in full and answered without internal details. */
export function failureOf(error: unknown, request: FastifyRequest): Failure {
  const { log } = request;
  if (error instanceof ApiError) {
    if (error.cause) log.warn({ err: error.cause }, 'request refused');
    return failureOfApiError(error);
  }
  if (error instanceof ContractError && error.code !== 'InvalidResponse')
    return failure(error.code, error.message);
  const framework = frameworkFailure(error, request);
  if (framework) return framework;
  if (isOverload(error)) {
    log.warn({ err: error }, 'no database connection was free');
    return failureOfApiError(overloaded('The service has too much to do'));
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
