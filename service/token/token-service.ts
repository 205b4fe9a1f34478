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
