// An issuer of access tokens, as any OAuth 2 server is one: its keys, and tokens of whatever client.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { FLOWS_AUDIENCE } from '../../../contract/wire/token.ts';

export interface TokenIssuer extends AsyncDisposable {
  /** The settings of a console that takes its tokens, of the tenant demo. */
  readonly settings: Readonly<Record<string, string>>;
  /** The header of a request with a token of a client of the tenant. */
  bearer(tenant: string, ...scopes: readonly string[]): Promise<{ readonly authorization: string }>;
}

export async function tokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'only', alg: 'ES256' }];
  const server = createServer((_, response) => response.end(JSON.stringify({ keys })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { API_ISSUER: url, API_JWKS_URL: `${url}/keys`, API_TENANT: 'demo' },
    async bearer(tenant, ...scopes) {
      const token = await new SignJWT({ client_id: 'shop', tenant, scope: scopes.join(' ') })
        .setProtectedHeader({ alg: 'ES256', kid: 'only', typ: 'at+jwt' })
        .setIssuer(url)
        .setAudience(FLOWS_AUDIENCE)
        .setSubject('shop')
        .setExpirationTime('1h')
        .sign(privateKey);
      return { authorization: `Bearer ${token}` };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
