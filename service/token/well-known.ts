// The public keys (RFC 7517) and the metadata (RFC 8414) of the token service.
import type { FastifyInstance } from 'fastify';
import { everyFlowScope, TOKEN_PATH, TOKEN_SCOPE, WALL_SCOPE } from '../../contract/index.ts';
import type { SigningKeys } from './signing-keys.ts';

const JWKS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';
// Shorter than the time from a key's publication to its first signature (PUBLISHED_BEFORE_SIGNING_MS), so that no
// token's key is unknown.
const MAXIMUM_AGE_SECONDS = 300;

export function addWellKnown(app: FastifyInstance, keys: SigningKeys, issuer: () => string): void {
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
