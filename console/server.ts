// The console's server: the page, the sign-in, the walls and the desk, and the API of processes. It has no database: what it
// shows it reads from Temporal and from the locker service.
import { join } from 'node:path';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  LogController,
} from 'fastify';
import { ZodError } from 'zod';
import { bodyOverLimit, isBodyOverLimit } from '../contract/wire/body-limit.ts';
import { wrongFieldsOf } from '../processes/commands/read-values.ts';
import type { Inbox } from '../processes/inbox/inbox.ts';
import { boundConnections, CUT_MESSAGE } from '../shared/http/bound-connections.ts';
import { listening } from '../shared/terminal/listening.ts';
import { answerInLanguage } from '../shared/texts/reader-of-request.ts';
import { AccessTokens } from './access/access-tokens.ts';
import { callerIdOf, guardConsole } from './access/guard.ts';
import { accessOf } from './access/user.ts';
import { api } from './api/api.ts';
import { sendProblem } from './api/problem.ts';
import type { ConsoleParts } from './console-parts.ts';
import { deskRoutes } from './desk/desk-routes.ts';
import { readJsonBodies } from './json-body.ts';
import { addPageFiles, nothingAt } from './page-files.ts';
import { type ConsoleReaders, consoleReaders } from './readers.ts';
import { ConsoleRefusal, consoleRefusalOf, formatFieldIssues } from './refusal.ts';
import { checkBodies } from './request-body.ts';
import type { ConsoleSettings } from './settings.ts';
import { forgetAfterChanges } from './shared-answers.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { collectRoutes } from './unknown-routes.ts';
import { wallsRoutes } from './walls/walls-routes.ts';

/** For the page alone: what is not about processes. Each serves /api/<area>/. */
const areas: readonly ((parts: ConsoleParts, readers: ConsoleReaders) => FastifyPluginAsync)[] = [
  wallsRoutes,
  deskRoutes,
];

// A key has at most 200 characters, each of at most 12 in a URL.
const LONGEST_PARAMETER = 3_000;

/** No form uploads a file: a flow's input is the longest body. */
const BODY_LIMIT_BYTES = 1_000_000;
// Fastify's own is none: anybody could keep connections for ever with bodies that do not come.
const REQUEST_TIMEOUT_MS = 60_000;

interface ConsoleServer {
  readonly app: FastifyInstance;
  /** Gives the address that it listens on, like http://127.0.0.1:8088. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

interface ConsoleServerOptions {
  readonly settings: ConsoleSettings;
  readonly parts: ConsoleParts;
  readonly inbox: Inbox;
  readonly signIn: SignIn;
  readonly log: FastifyBaseLogger;
}

const PAGE = join(import.meta.dirname, 'page/dist');

export async function createConsole(options: ConsoleServerOptions): Promise<ConsoleServer> {
  const { settings, parts, inbox, signIn, log } = options;
  const app = fastify({
    loggerInstance: log,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    frameworkErrors: (error, _request, reply) => void sendProblem(reply, ofFramework(error) ?? failed()),
    logController: new LogController({ disableRequestLogging: true }),
  });
  // A form of another site could send text without being asked about it first.
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app);
  const connections = boundConnections(app.server, { onCut: (cut) => log.warn(cut, CUT_MESSAGE) });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const caller = callerIdOf(request);
    if (caller !== undefined) connections.belongsTo(request.raw, caller);
    done();
  });
  answerInLanguage(app);
  guardConsole(app, {
    userOf: (request) => signIn.userOf(request),
    url: settings.url,
    tokens: settings.tokens && new AccessTokens(settings.tokens),
  });
  const refuseUnknown = collectRoutes(app);
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuseUnknown(request, reply);
  });
  app.setNotFoundHandler(refuseUnknown);
  checkBodies(app);
  forgetAfterChanges(app, parts.shared);
  answerRefusals(app, log);
  const health = { config: { access: 'open', anyHost: true } } as const;
  app.get('/health/live', health, async () => ({ status: 'live' }));
  app.get('/health/ready', health, async () => ({ status: 'ready' }));
  await app.register(
    signInRoutes(signIn, {
      ownUrl: settings.url === undefined ? settings.linkedUrl : undefined,
      sessionMs: settings.sessionMs,
      outreach: settings.outreach,
    }),
  );
  const readers = consoleReaders(parts);
  for (const area of areas) await app.register(area(parts, readers));
  await app.register(api({ parts, readers, inbox, issuer: settings.tokens?.issuer, refuseUnknown }));
  app.get('/api/*', accessOf('look'), ({ params }) => {
    throw nothingAt(`/api/${(params as { '*': string })['*']}`);
  });
  await addPageFiles(app, PAGE);
  return {
    app,
    listen: () => listening(settings, 'CONSOLE', (at) => app.listen(at)),
    close: () => app.close(),
  };
}

const failed = () =>
  new ConsoleRefusal(500, 'Failed', 'The console failed. Try again; its log has the reason.');

function answerRefusals(app: FastifyInstance, log: FastifyBaseLogger): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = consoleRefusalOf(error) ?? ofFramework(error, request.routeOptions.bodyLimit);
    if (refusal) return sendProblem(reply, refusal);
    log.error(
      { err: error, path: request.routeOptions.url },
      'a request failed: a defect, answered with status 500',
    );
    return sendProblem(reply, failed());
  });
}

/** What Fastify and zod refuse: a body that it does not take, or that has another shape. */
function ofFramework(error: FastifyError, bodyLimit = BODY_LIMIT_BYTES): ConsoleRefusal | undefined {
  if (error instanceof ZodError)
    return new ConsoleRefusal(
      400,
      'InvalidRequest',
      `Wrong request: ${formatFieldIssues(error)}.`,
      wrongFieldsOf(error),
    );
  const { statusCode = 500 } = error;
  const message = messageFor(error, bodyLimit);
  return statusCode < 500 ? new ConsoleRefusal(statusCode, 'InvalidRequest', message) : undefined;
}

function messageFor(error: FastifyError, bodyLimit: number): string {
  if (isBodyOverLimit(error)) return `${bodyOverLimit(bodyLimit)}.`;
  // The body is JSON, with a key that could change a prototype.
  return error.code === 'FST_ERR_CTP_INVALID_JSON_BODY'
    ? 'The body has the key __proto__ or constructor.prototype, which is not taken.'
    : error.message;
}
