// The token service within the service: its endpoint, its public keys and metadata, and the check of access tokens.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Authentication } from '../authentication.ts';
import { RateLimiter, tokenLimit } from '../http/rate-limit.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../storage/database.ts';
import { AccessTokens } from './access-tokens.ts';
import { ApiClients } from './api-clients.ts';
import { ClientAuthentication } from './client-authentication.ts';
import { SigningKeys } from './signing-keys.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import { addWellKnown } from './well-known.ts';

export interface TokenServiceOptions {
  readonly database: Kysely<Database>;
  readonly settings: Settings;
  /** A function, because the address may be known only when the service listens. */
  readonly issuer: () => string;
}

export function addTokenService(
  app: FastifyInstance,
  { database, settings, issuer }: TokenServiceOptions,
): Authentication & { readonly signingKeys: SigningKeys } {
  const keys = new SigningKeys(database, settings.encryption, (error) =>
    app.log.error({ err: error }, 'a signing key is not used: find out who has changed it in the database'),
  );
  const clients = new ApiClients(database);
  const { tokenLifetimeSeconds: lifetimeSeconds, tokenClockSkewSeconds: clockSkewSeconds } = settings;
  const tokens = new AccessTokens({ keys, issuer, lifetimeSeconds, clockSkewSeconds });
  const authentication = new ClientAuthentication(clients, app.log);
  app.register(tokenEndpoint({ tokens, authentication, limiter: new RateLimiter(tokenLimit(settings)) }));
  addWellKnown(app, keys, issuer);
  return { tokens, clients, signingKeys: keys };
}
