// The contract's table as HTTP: each row becomes a route that authenticates, parses, handles and answers.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  ContractError,
  encodeAnswer,
  type Operation,
  type OperationName,
  operationNames,
  operationRow,
  parseRequest,
  type Request,
} from '../contract/index.ts';
import { creation as accountCreation } from './accounts/creation.ts';
import { management as accountManagement } from './accounts/management.ts';
import { reading as accountReading } from './accounts/reading.ts';
import type { SuggestionFileReader } from './accounts/suggestions/suggestion-file-reader.ts';
import { uploadAccountSuggestions } from './accounts/suggestions/upload-account-suggestions.ts';
import { ApiError } from './api-error.ts';
import { SUCCESS, subjectsOf } from './audit/audit-entry.ts';
import type { AuditWriter } from './audit/audit-writer.ts';
import { getAuditLog } from './audit/get-audit-log.ts';
import type { AuditedRequest } from './audited-request.ts';
import { configureCallback } from './callbacks/configuration/configure-callback.ts';
import type { Context, Handler, Handlers, Services } from './handler.ts';
import { acceptMultipart, type MultipartLimits, readMultipart } from './http/multipart.ts';
import { idempotencyKeyOf, onBehalfOfIn, reasonOf } from './http/observed-requests.ts';
import type { RateLimiter } from './http/rate-limit.ts';
import { lockerAccess } from './lockers/access-locker.ts';
import { getLockers } from './lockers/get-lockers.ts';
import { lockerChanges } from './lockers/locker-changes.ts';
import { lockerOpening } from './lockers/open-locker.ts';
import type { Settings } from './settings.ts';
import { creation } from './shipments/creation.ts';
import { management } from './shipments/management.ts';
import { getPickUpPoints } from './shipments/reading/get-pick-up-points.ts';
import { reading } from './shipments/reading/get-shipment.ts';
import { listing } from './shipments/reading/get-shipments.ts';
import { extraOf, type SwitchBoard } from './switches/switches.ts';
import type { ApiClient } from './token/api-clients.ts';
import { type Authentication, authenticate } from './token/authentication.ts';

interface OperationDependencies extends Authentication {
  readonly services: Services;
  readonly limiter: RateLimiter;
  readonly switchBoard: SwitchBoard;
  readonly auditWriter: AuditWriter;
  readonly suggestionFileReader: SuggestionFileReader;
}

export function addOperations(app: FastifyInstance, dependencies: OperationDependencies): void {
  const handlers = handlersWith(dependencies);
  const addAll = (scope: FastifyInstance, areMultipart: boolean) => {
    for (const name of operationNames.filter((each) => !!operationRow(each).isMultipart === areMultipart)) {
      const handler = handlers[name] as Handler<typeof name>;
      addOperation(scope, name, handler, dependencies);
    }
  };
  addAll(app, false);
  app.register((scope, _options, done) => {
    acceptMultipart(scope, multipartLimits(dependencies.services.settings));
    addAll(scope, true);
    done();
  });
}

const multipartLimits = ({ upload, bodyLimitBytes }: Settings): MultipartLimits => ({
  fileBytes: upload.fileBytes,
  jsonBytes: bodyLimitBytes,
  concurrent: upload.concurrent,
});

function bodyOf(request: FastifyRequest, row: Operation, settings: Settings): unknown {
  return row.isMultipart ? readMultipart(request, multipartLimits(settings)) : request.body;
}

function addOperation<Name extends OperationName>(
  app: FastifyInstance,
  name: Name,
  handler: Handler<Name>,
  dependencies: OperationDependencies,
): void {
  app.post(operationRow(name).path, {
    config: { operation: name },
    // Before the body is read, so that unauthenticated requests cost no parsing.
    onRequest: async (request, reply) => {
      request.apiClient = await authenticate(dependencies, request, reply);
      dependencies.limiter.take(request.apiClient.clientId);
    },
    handler: (request) => handleAudited(name, request, handler, dependencies),
  });
}

/**
 * A successful change is in the audit log already: its transaction wrote the entry. This writes the other entries:
 * refusals, and the reading of access codes.
 */
async function handleAudited<Name extends OperationName>(
  name: Name,
  request: FastifyRequest,
  handler: Handler<Name>,
  dependencies: OperationDependencies,
): Promise<object> {
  const row = operationRow(name);
  const { effect, audited = effect !== 'none' } = row;
  const client = clientOf(request);
  // Also a request with a header that cannot be read is refused in the log.
  let auditEntry: AuditedRequest = {
    ...client,
    operation: name,
    requestId: request.id,
    onBehalfOf: null,
    why: null,
  };
  let parsed: Request<Name> | undefined;
  const note = async (outcome: string, ...bodies: object[]) => {
    if (audited) await dependencies.auditWriter.note({ ...auditEntry, uids: subjectsOf(...bodies), outcome });
  };
  const about = (...bodies: object[]) => {
    request.bodies = bodies;
  };
  try {
    const context = await contextOf(name, request, client, dependencies);
    auditEntry = context;
    parsed = parseRequest(name, await bodyOf(request, row, dependencies.services.settings));
    const asked = { ...context, why: reasonIn(parsed) ?? context.why };
    auditEntry = asked;
    about(parsed);
    const answer = await handler(parsed, asked);
    about(parsed, answer);
    if (effect === 'none') await note(SUCCESS, parsed, answer);
    return encodeAnswer(name, answer, answer.message);
  } catch (error) {
    const code = error instanceof ApiError || error instanceof ContractError ? error.code : 'InternalError';
    await note(code, parsed ?? {}, error instanceof ApiError ? error.fields : {});
    throw error;
  }
}

/** OpenLocker takes its reason in the body: that one counts, whatever X-Reason says. */
const reasonIn = (parsed: object): string | undefined =>
  'reason' in parsed && typeof parsed.reason === 'string' ? parsed.reason : undefined;

function clientOf({ apiClient }: FastifyRequest): ApiClient {
  if (!apiClient) throw new TypeError('An operation was reached without authentication');
  return apiClient;
}

async function contextOf(
  operation: OperationName,
  request: FastifyRequest,
  { clientId, tenantId, tenantUid, mainUserUid }: ApiClient,
  { services, switchBoard }: OperationDependencies,
): Promise<Context> {
  // Before the body is checked: in production this operation does not exist (interface: Limits).
  if (services.settings.mode === 'production' && operationRow(operation).errors.includes('NotAvailable'))
    throw new ApiError('NotAvailable', `${operation} exists in staging only`);
  const switches = await switchBoard.of(tenantId);
  const extra = extraOf(operation);
  if (extra && !switches[extra])
    throw new ApiError('UnknownOperation', `/sandbox/switches has ${extra} off for this tenant`);
  return {
    ...services,
    switches,
    clientId,
    tenantId,
    tenantUid,
    dispatcherUserUid: mainUserUid,
    operation,
    requestId: request.id,
    onBehalfOf: onBehalfOfIn(request.raw) ?? null,
    why: reasonOf(request.raw) ?? null,
    idempotencyKey: switches.idempotencyKey ? idempotencyKeyOf(request.raw) : undefined,
    log: request.log,
  };
}

const handlersWith = ({ suggestionFileReader }: OperationDependencies): Handlers => ({
  ...creation,
  ...management,
  ...reading,
  ...listing,
  GetPickUpPoints: getPickUpPoints,
  ...accountCreation,
  ...accountManagement,
  ...accountReading,
  UploadAccountSuggestions: uploadAccountSuggestions(suggestionFileReader),
  ...lockerAccess,
  ...lockerChanges,
  ...lockerOpening,
  GetLockers: getLockers,
  ConfigureCallback: configureCallback,
  GetAuditLog: getAuditLog,
});
