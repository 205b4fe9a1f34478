// The contract's table as HTTP: each row becomes a route that authenticates, parses, handles and answers.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  encodeAnswer,
  type OperationName,
  operationNames,
  operationRow,
  parseRequest,
} from '../contract/index.ts';
import { type Authentication, authenticate } from './authentication.ts';
import type { Context, Handler, Handlers } from './handler.ts';
import { handlers } from './handlers.ts';
import type { Settings } from './settings.ts';
import type { Database } from './storage/database.ts';

export interface OperationDependencies extends Authentication {
  readonly database: Kysely<Database>;
  readonly settings: Settings;
}

export function addOperations(app: FastifyInstance, dependencies: OperationDependencies): void {
  const known: Partial<Handlers> = handlers;
  for (const name of operationNames) {
    const handler = known[name];
    if (handler) addOperation(app, name, handler as Handler<typeof name>, dependencies);
  }
}

function addOperation<Name extends OperationName>(
  app: FastifyInstance,
  name: Name,
  handler: Handler<Name>,
  dependencies: OperationDependencies,
): void {
  app.post(operationRow(name).path, {
    config: { operation: name },
    // Before the body is read: a stranger costs no parsing.
    onRequest: async (request, reply) => {
      request.apiClient = await authenticate(dependencies, request, reply);
    },
    handler: async (request) => {
      const parsed = parseRequest(name, request.body);
      const response = await handler(parsed, contextOf(request, dependencies));
      return encodeAnswer(name, response);
    },
  });
}

function contextOf(request: FastifyRequest, { database, settings }: OperationDependencies): Context {
  if (!request.apiClient) throw new TypeError('An operation was reached without authentication');
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    database,
    settings,
    tenantId: request.apiClient.tenantId,
    tenantUid: request.apiClient.tenantUid,
    requestId: request.id,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    log: request.log,
  };
}
