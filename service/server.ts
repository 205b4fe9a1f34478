// The service as a whole: fastify over the contract's table of operations, the token endpoint and the health checks.
// The handlers do the operations; http/failure.ts writes the refusals.
import type { ServerOptions } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { type ErrorCode, type OperationName, type TokenErrorCode, WALL_PATH } from '../contract/index.ts';
import {
  boundConnections,
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  CUT_MESSAGE,
} from '../shared/http/bound-connections.ts';
import { addressesIn, isAmong } from '../shared/settings/values.ts';
import { listening } from '../shared/terminal/listening.ts';
import { SuggestionFileReader } from './accounts/suggestions/suggestion-file-reader.ts';
import { AuditWriter } from './audit/audit-writer.ts';
import { DueCallbackAnnouncer } from './due-callbacks.ts';
import { WallDoors } from './hardware/wall-doors.ts';
import { failureOf } from './http/failure.ts';
import { addHealth } from './http/health.ts';
import { measureRequests, REQUEST_ID_HEADER, requestIdOf, traceRequests } from './http/observed-requests.ts';
import { RateLimiter, requestLimit } from './http/rate-limit.ts';
import { answerExpectation, errorAnswers, notFoundAnswer, sendFailure } from './http/request-failures.ts';
import { RequestLog } from './log.ts';
import { addOperations } from './operations.ts';
import { addPages } from './pages.ts';
import { addSandbox } from './sandbox/sandbox.ts';
import type { Settings } from './settings.ts';
import type { Database } from './storage/database.ts';
import type { SwitchBoard } from './switches/switches.ts';
import type { VerifiedToken } from './token/access-tokens.ts';
import type { ApiClient } from './token/api-clients.ts';
import { addTokenService } from './token/token-service.ts';
import { addWalls } from './walls/connect-wall.ts';

// A slower client keeps a connection for nothing. The largest upload, 20 MB, arrives in time at 1.4 Mbit/s.
const REQUEST_TIMEOUT_MS = 120_000;

export interface Dependencies {
  readonly database: Kysely<Database>;
  /** The callback sender of this process uses the same one. */
  readonly switchBoard: SwitchBoard;
  readonly log: FastifyBaseLogger;
  /** Without them those of every server. */
  readonly connectionBounds?: ConnectionBounds;
  /** Counts milliseconds, for limits and for what is read again after some time; the machine's without one. */
  readonly now?: () => number;
}

interface Service {
  /** Gives the address that it listens on, like http://127.0.0.1:8080. */
  listen(): Promise<string>;
  /** Takes no new requests, lets those under way finish, then closes. The database is the caller's to close. */
  close(): Promise<void>;
}

const http: ServerOptions = {
  // The service answers a request without a Host too; Node would refuse it with an empty body.
  requireHostHeader: false,
  // Only a wall's connection leaves HTTP: any other request is answered, bounded and timed as without the header.
  shouldUpgradeCallback: ({ url = '' }) => url.split('?', 1)[0] === WALL_PATH,
};

export function createService(
  settings: Settings,
  { database, switchBoard, log, connectionBounds, now = () => performance.now() }: Dependencies,
): Service {
  const app = fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    bodyLimit: settings.bodyLimitBytes,
    // The service ignores unknown names in a request. These two could change an object's prototype, so it removes them.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: requestIdOf,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    return503OnClosing: false,
    http,
    ...errorAnswers,
  });
  app.server.on('checkExpectation', answerExpectation);
  boundRequests(app, settings, log, connectionBounds);
  app.removeContentTypeParser('text/plain');
  addRequestFields(app);
  traceRequests(app);
  measureRequests(app);
  answerRequestIds(app);
  warnOfUntrustedProxy(app);
  app.setErrorHandler((error, request, reply) => sendFailure(reply, failureOf(error, request)));
  // Without a setting the issuer is the address that the service listens on. With port 0 it is known only then.
  let issuer = settings.url ?? '';
  const authentication = addTokenService(app, { database, settings, issuer: () => issuer, now });
  const limiter = new RateLimiter(requestLimit(settings), now);
  const dueCallbacks = new DueCallbackAnnouncer(database, (error) =>
    log.warn({ err: error }, 'due callbacks were not announced; the senders find them by polling'),
  );
  app.addHook('onClose', () => dueCallbacks.announced());
  const wallDoors = new WallDoors({ database, databaseUrl: settings.databaseUrl, log });
  app.addHook('onClose', () => wallDoors.close());
  const auditWriter = new AuditWriter(database, log);
  app.addHook('onClose', () => auditWriter.close());
  const suggestionFileReader = new SuggestionFileReader(settings.upload);
  app.addHook('onClose', () => suggestionFileReader.close());
  const services = { database, settings, wallDoors, dueCallbacks };
  addOperations(app, {
    ...authentication,
    services,
    limiter,
    switchBoard,
    auditWriter,
    suggestionFileReader,
  });
  addWalls(app, { ...authentication, database, wallDoors, dueCallbacks, switchBoard });
  addSandbox(app, { ...authentication, database, settings, switchBoard });
  addHealth(app, database);
  addPages(app, settings);
  app.setNotFoundHandler(notFoundAnswer);
  return {
    async listen() {
      const address = await listening(settings, 'SERVICE', (at) => app.listen(at));
      issuer ||= address;
      return address;
    },
    close: gracefulStop(app, settings.stopGraceSeconds),
  };
}

/** Bounds what is held for each API client, and for each address. The walls bound their own WebSockets. */
function boundRequests(
  app: FastifyInstance,
  { trustedProxies }: Settings,
  log: FastifyBaseLogger,
  bounds: ConnectionBounds = CONNECTION_BOUNDS,
): void {
  const proxies = addressesIn(trustedProxies);
  const connections = boundConnections(app.server, {
    bounds,
    isProxy: (address) => isAmong(proxies, address),
    onCut: (cut) => log.warn(cut, CUT_MESSAGE),
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.apiClient) connections.belongsTo(request.raw, request.apiClient.clientId);
    if (request.ws && request.apiClient?.wall) connections.upgraded(request.raw);
    done();
  });
}

function answerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
}

/**
 * A proxy that is not in SERVICE_TRUSTED_PROXIES: behind it, all clients have its address. Once for each process: the settings
 * are wrong, and any client can send the header.
 */
function warnOfUntrustedProxy(app: FastifyInstance): void {
  let isReported = false;
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify gives more than one address only where the sender is trusted.
    if (!isReported && request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) < 2) {
      isReported = true;
      request.log.warn(
        { sender: request.socket.remoteAddress },
        'X-Forwarded-For of this sender is ignored: if it is your proxy, name it in SERVICE_TRUSTED_PROXIES',
      );
    }
    done();
  });
}

/** Gives the function that closes the server. It cuts requests that are not answered within the grace. */
function gracefulStop(app: FastifyInstance, graceSeconds: number): () => Promise<void> {
  let stopping = false;
  // A connection that stays open after its last answer would delay the end until the grace is over.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done();
  });
  return async () => {
    stopping = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), graceSeconds * 1_000);
    await app.close();
    clearTimeout(cut);
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller of an operation. */
    apiClient: ApiClient | null;
    /** What its access token says. */
    accessToken: VerifiedToken | null;
    /** The error code of a refusal, for the log. */
    failureCode: ErrorCode | TokenErrorCode | null;
    /** The checked request and its answer, for what they name in the log. */
    bodies: readonly object[] | null;
  }
  interface FastifyContextConfig {
    operation?: OperationName;
    /** Machines call it every few seconds: logged at debug level unless it fails. */
    quiet?: boolean;
  }
}

function addRequestFields(app: FastifyInstance): void {
  app.decorateRequest('apiClient', null);
  app.decorateRequest('accessToken', null);
  app.decorateRequest('failureCode', null);
  app.decorateRequest('bodies', null);
}
