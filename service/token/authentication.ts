// Finds the tenant of a request from its bearer token (interface: Authentication; RFC 6750).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TOKEN_PATH, TOKEN_SCOPE } from '../../contract/index.ts';
import { ApiError } from '../api-error.ts';
import { type AccessTokens, isOfValidSecret } from './access-tokens.ts';
import { type ApiClient, type ApiClients, grantOf, type TokenScope } from './api-clients.ts';

export interface Authentication {
  readonly tokens: AccessTokens;
  readonly clients: ApiClients;
}

/** Also keeps what the token says in the request. */
export async function authenticate(
  { tokens, clients }: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: TokenScope = TOKEN_SCOPE,
): Promise<ApiClient> {
  const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) {
    reply.header('www-authenticate', 'Bearer realm="lockerflow"');
    throw new ApiError(
      'Unauthorized',
      'There is no access token: send the header Authorization: Bearer <ACCESS_TOKEN>',
    );
  }
  const verified = await tokens.verified(token, scope);
  const client = verified && (await clients.find(verified.clientId));
  if (!client || grantOf(client).audience !== scope || !isOfValidSecret(verified, client)) {
    reply.header('www-authenticate', 'Bearer realm="lockerflow", error="invalid_token"');
    throw new ApiError(
      'Unauthorized',
      `The access token is wrong or expired, or its secret was retired: get a new one from ${TOKEN_PATH}`,
    );
  }
  request.accessToken = verified;
  return client;
}
