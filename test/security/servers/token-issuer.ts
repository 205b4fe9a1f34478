// An issuer of access tokens, as any OAuth 2 server is one: its keys, and tokens of whatever client.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { FLOWS_AUDIENCE } from '../../../contract/wire/token.ts';

export type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

export const newKeyPair = (): Promise<KeyPair> => generateKeyPair('ES256');

/** As the issuer tells a key. */
export const published = async ({ publicKey }: KeyPair, kid: string): Promise<object> => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: 'ES256',
});

export interface TokenIssuer extends AsyncDisposable {
  readonly url: string;
  /** The only key at first. */
  readonly first: KeyPair;
  keys: object[];
  /** The paths of the requests that came. */
  asked: string[];
  isDown: boolean;
  /** The settings of a console that takes its tokens, of the tenant demo. */
  readonly settings: Readonly<Record<string, string>>;
  /** The header of a request with a token of a client of the tenant. */
  bearer(tenant: string, ...scopes: readonly string[]): Promise<{ readonly authorization: string }>;
}

export async function tokenIssuer(): Promise<TokenIssuer> {
  const first = await newKeyPair();
  const server = createServer(({ url = '' }, response) => {
    issuer.asked.push(url);
    if (issuer.isDown) return response.writeHead(500).end();
    if (url === '/.well-known/openid-configuration')
      return response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }));
    if (url === '/keys') return response.end(JSON.stringify({ keys: issuer.keys }));
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TokenIssuer = {
    url,
    first,
    keys: [await published(first, 'first')],
    asked: [],
    isDown: false,
    settings: { API_ISSUER: url, API_TENANT: 'demo' },
    async bearer(tenant, ...scopes) {
      const token = await new SignJWT({ client_id: 'shop', tenant, scope: scopes.join(' ') })
        .setProtectedHeader({ alg: 'ES256', kid: 'first', typ: 'at+jwt' })
        .setIssuer(url)
        .setAudience(FLOWS_AUDIENCE)
        .setSubject('shop')
        .setExpirationTime('1h')
        .sign(first.privateKey);
      return { authorization: `Bearer ${token}` };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}
