// The token service within the service: its endpoint, its public keys and metadata, and the check of access tokens.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { everyFlowScope, TOKEN_PATH, TOKEN_SCOPE, WALL_SCOPE } from '../../contract/index.ts';
import type { Authentication } from '../authentication.ts';
import { RateLimiter, tokenLimit } from '../http/rate-limit.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../storage/database.ts';
import { AccessTokens } from './access-tokens.ts';
import { ApiClients } from './api-clients.ts';
import { ClientAuthentication } from './client-authentication.ts';
import { SigningKeys } from './signing-keys.ts';
import { tokenEndpoint } from './token-endpoint.ts';

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
