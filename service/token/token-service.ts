// The token service within the service: its endpoint (RFC 6749 sections 2.3.1, 4.4 and 5: client credentials in, a short-lived
// access token out), its public keys and metadata, and the check of access tokens.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { everyFlowScope, isGranted, TOKEN_PATH, TOKEN_SCOPE, WALL_SCOPE } from '../../contract/index.ts';
import { bodyOverLimit, isBodyOverLimit } from '../../contract/wire/body-limit.ts';
import { ApiError } from '../api-error.ts';
import { failureOf } from '../http/failure.ts';
import { RateLimiter, tokenLimit } from '../http/rate-limit.ts';
import { sendFailure } from '../http/request-failures.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../storage/database.ts';
import { AccessTokens } from './access-tokens.ts';
import { ApiClients, grantOf, type TokenGrant } from './api-clients.ts';
import type { Authentication } from './authentication.ts';
import { ClientAuthentication, OAuthError, readCredentials } from './client-authentication.ts';
import { SigningKeys } from './signing-keys.ts';

interface TokenServiceOptions {
  readonly database: Kysely<Database>;
  readonly settings: Settings;
  /** A function, because the address may be known only when the service listens. */
  readonly issuer: () => string;
  /** Counts milliseconds: by it, what was read is old, and who failed has waited. */
  readonly now: () => number;
}

export function addTokenService(
  app: FastifyInstance,
  { database, settings, issuer, now }: TokenServiceOptions,
): Authentication & { readonly signingKeys: SigningKeys } {
  const onUnreadable = (error: unknown) =>
    app.log.error({ err: error }, 'a signing key is not used: find out who has changed it in the database');
  const keys = new SigningKeys(database, settings.encryption, onUnreadable, now);
  const clients = new ApiClients(database, now);
  const { tokenLifetimeSeconds: lifetimeSeconds, tokenClockSkewSeconds: clockSkewSeconds } = settings;
  const tokens = new AccessTokens({ keys, issuer, lifetimeSeconds, clockSkewSeconds });
  const authentication = new ClientAuthentication(clients, app.log, now);
  const limiter = new RateLimiter(tokenLimit(settings), now);
  app.register(tokenEndpoint({ tokens, authentication, limiter }));
  addWellKnown(app, keys, issuer);
  return { tokens, clients, signingKeys: keys };
}

const JWKS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';
// Shorter than the time from a key's publication to its first signature (PUBLISHED_BEFORE_SIGNING_MS), so that no
// token's key is unknown.
const MAXIMUM_AGE_SECONDS = 300;

/** The public keys (RFC 7517) and the metadata (RFC 8414) of the token service. */
function addWellKnown(app: FastifyInstance, keys: SigningKeys, issuer: () => string): void {
  app.get(JWKS_PATH, async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${MAXIMUM_AGE_SECONDS}`);
    return { keys: await keys.publicJwks() };
  });
  app.get(METADATA_PATH, async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${MAXIMUM_AGE_SECONDS}`);
    return {
      issuer: issuer(),
      token_endpoint: issuer() + TOKEN_PATH,
      jwks_uri: issuer() + JWKS_PATH,
      scopes_supported: [TOKEN_SCOPE, WALL_SCOPE, ...everyFlowScope],
      // Required by RFC 8414, and empty: there is no authorization endpoint.
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    };
  });
}

const FORM = 'application/x-www-form-urlencoded';
// The form has four short fields; a longer body is refused before it is read.
const BODY_LIMIT_BYTES = 16_384;
// Each name is compared with all others, and a body has room for thousands: a quarter of a second of work for a stranger.
const MAX_PARAMETERS = 50;

interface TokenService {
  readonly tokens: AccessTokens;
  readonly authentication: ClientAuthentication;
  readonly limiter: RateLimiter;
}

/** A fastify plugin, so that its form parser and its error answers apply here only. */
const tokenEndpoint =
  (service: TokenService) =>
  async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    // Kept raw, to see a parameter that is given twice.
    app.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => {
      return new URLSearchParams(body);
    });
    app.addHook('onSend', async (_request, reply) => {
      // RFC 6749 sections 5.1 and 5.2: no cache may keep a token or a refusal.
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
    });
    app.setErrorHandler((error, request, reply) => {
      if (error instanceof OAuthError) return refuse(reply, error);
      const known = failureOf(error, request);
      if (error instanceof ApiError || known.status >= 500) return sendFailure(reply, known);
      const message = isBodyOverLimit(error) ? bodyOverLimit(BODY_LIMIT_BYTES) : `The body must be ${FORM}`;
      return refuse(reply, new OAuthError('invalid_request', message, known.status));
    });
    app.post(TOKEN_PATH, { bodyLimit: BODY_LIMIT_BYTES }, (request) => tokenAnswer(service, request));
  };

async function tokenAnswer({ tokens, authentication, limiter }: TokenService, request: FastifyRequest) {
  if (!(request.body instanceof URLSearchParams))
    throw new OAuthError('invalid_request', `The body must be ${FORM}`);
  requireSingleParameters(request.body);
  requireGrant(request.body);
  const credentials = readCredentials(request.headers.authorization, request.body);
  const { client, secretId } = await authentication.authenticate(credentials, request.ip);
  request.apiClient = client;
  const grant = grantedOf(request.body, grantOf(client));
  limiter.take(client.clientId);
  return {
    access_token: await tokens.issue({ ...client, secretId, ...grant }),
    token_type: 'bearer',
    expires_in: tokens.lifetimeSeconds,
    scope: grant.scopes.join(' '),
  };
}

/** RFC 6749 section 3.2: parameters must not be included more than once. */
function requireSingleParameters(form: URLSearchParams): void {
  if (form.size > MAX_PARAMETERS)
    throw new OAuthError(
      'invalid_request',
      `The form has more than ${MAX_PARAMETERS} parameters: send grant_type, client_id and client_secret`,
    );
  const names = [...form.keys()];
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  // RFC 6749 section 5.2 allows few characters in a description.
  const shown = /^\w{1,50}$/.test(twice) ? `The parameter ${twice}` : 'A parameter';
  throw new OAuthError('invalid_request', `${shown} is given more than once: send it once`);
}

function requireGrant(form: URLSearchParams): void {
  const grantType = form.get('grant_type');
  if (!grantType) throw new OAuthError('invalid_request', 'grant_type is required: send client_credentials');
  if (grantType !== 'client_credentials')
    throw new OAuthError(
      'unsupported_grant_type',
      'grant_type must be client_credentials, the only one here',
    );
}

/** RFC 6749 section 3.3: without a scope the client gets all of its own. */
function grantedOf(form: URLSearchParams, { audience, scopes: own }: TokenGrant): TokenGrant {
  const scopes = new Set((form.get('scope') ?? '').split(' ').filter((scope) => scope !== ''));
  if (scopes.size === 0) return { audience, scopes: own };
  const isOwn = (scope: string) => isGranted(scope, own);
  if (![...scopes].every(isOwn))
    throw new OAuthError(
      'invalid_scope',
      own.length === 1
        ? `scope must be ${own[0]}, the only one of this client`
        : `scope must be among those of this client: ${own.join(' ')}`,
    );
  return { audience, scopes: [...scopes] };
}

/** RFC 6749 section 5.2, plus the envelope of all failing answers: clients can read the body as either. */
function refuse(reply: FastifyReply, { code, message, status }: OAuthError): FastifyReply {
  reply.request.failureCode = code;
  if (status === 401) reply.header('www-authenticate', 'Basic realm="lockerflow", charset="UTF-8"');
  return reply.code(status).send({ error: code, error_description: message, success: false, message });
}
