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
import type { Doors } from './hardware/doors.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { Refusal } from './refusal.ts';
import { extras, type SwitchBoard } from './sandbox/switches.ts';
import type { Settings } from './settings.ts';
import type { Database } from './storage/database.ts';

export interface OperationDependencies extends Authentication {
  readonly database: Kysely<Database>;
  readonly doors: Doors;
  readonly settings: Settings;
  readonly switchBoard: SwitchBoard;
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
      const context = await contextOf(name, request, dependencies);
      const parsed = parseRequest(name, request.body);
      const response = await handler(parsed, context);
      return encodeAnswer(name, response);
    },
  });
}

async function contextOf(
  operation: OperationName,
  request: FastifyRequest,
  { database, doors, settings, switchBoard }: OperationDependencies,
): Promise<Context> {
  if (!request.apiClient) throw new TypeError('An operation was reached without authentication');
  const { tenantId, tenantUid, mainUserUid } = request.apiClient;
  const switches = await switchBoard.of(tenantId);
  const extra = extras[operation];
  if (extra && !switches[extra])
    throw new Refusal('UnknownOperation', `/sandbox/switches has ${extra} off for this tenant`);
  return {
    database,
    doors,
    settings,
    switches,
    tenantId,
    tenantUid,
    dispatcherUserUid: mainUserUid,
    operation,
    requestId: request.id,
    idempotencyKey: switches.idempotencyKey
      ? idempotencyKeyOf(request.headers['idempotency-key'])
      : undefined,
    log: request.log,
  };
}
