// A real OpenID provider (oidc-provider) on this machine, whose people need no password; a console that signs in by it, and a
// browser that goes through both.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { vi } from 'vitest';
import { freePort } from '../../../local/ports.ts';
import { newTestConsole, type TestConsole, withoutService } from '../console-world.ts';

export interface OpenIdProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Who signs in next, with which claims; null: the person refuses. */
  person: Readonly<Record<string, unknown>> | null;
  /** What becomes of the claims of the next ID tokens; undefined: nothing. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Signs the next ID tokens by a key that the provider does not have. */
  usesForeignKey: boolean;
  /** The parameters of each authorization request. */
  readonly asked: URLSearchParams[];
}

export const CLIENT = { id: 'lockerflow-console', secret: 'the-secret-of-the-console-at-the-provider' };

const newKey = async (): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey)),
  kid: 'key',
  alg: 'RS256',
  use: 'sig',
});

const listening = (): Promise<ReturnType<typeof createServer>> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

/** @param consoleUrl to which it sends browsers back */
async function startOpenIdProvider(consoleUrl: string, host: string): Promise<OpenIdProvider> {
  const [key, foreignKey, server] = await Promise.all([newKey(), newKey(), listening()]);
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${consoleUrl}/api/sign-in/provider/callback`],
        post_logout_redirect_uris: [`${consoleUrl}/`],
      },
    ],
    jwks: { keys: [key] } as never,
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ ...made.person, sub: id }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: CLIENT.id,
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (context.path === '/auth') made.asked.push(new URLSearchParams(context.querystring));
    if (context.path.startsWith('/interaction/')) {
      const result = made.person
        ? { login: { accountId: String(made.person.sub), remember: false } }
        : { error: 'access_denied', error_description: 'the person has said no' };
      context.redirect(await provider.interactionResult(context.req, context.res, result));
      return;
    }
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path !== '/token' || !body?.id_token || !(made.forge || made.usesForeignKey)) return;
    const claims = (made.forge ?? ((same) => same))(decodeJwt(body.id_token));
    body.id_token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .sign(await importJWK(made.usesForeignKey ? foreignKey : key, 'RS256'));
  });
  server.on('request', provider.callback());
  const made: OpenIdProvider = {
    issuer,
    person: null,
    forge: undefined,
    usesForeignKey: false,
    asked: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

/** More than any sign-in has. */
const MOST_STEPS = 30;

/** Follows redirects from site to site, and keeps the cookies of each. */
export class RedirectedBrowser {
  readonly #jars = new Map<string, Map<string, string>>();
  /** Every address that it was sent to. */
  readonly visited: string[] = [];

  cookies(origin: string): Map<string, string> {
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }

  async ask(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.cookies(origin);
    const cookie = [...jar].map((each) => each.join('=')).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0(;|$)/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** @param until an address at which it stops, not asked any more */
  async go(url: string, until: (url: string) => boolean = () => false): Promise<Response | string> {
    let at = url;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      this.visited.push(at);
      if (until(at)) return at;
      const answer = await this.ask(at);
      const location = answer.headers.get('location');
      if (location === null) return answer;
      at = new URL(location, at).href;
    }
    throw new Error(`it is led on without an end: ${this.visited.join(' ')}`);
  }
}

/** @param host of the provider: `localhost` is another site for browsers than the console's 127.0.0.1 */
export async function startConsoleWithProvider(
  host = '127.0.0.1',
): Promise<{ readonly provider: OpenIdProvider; readonly tested: TestConsole } & AsyncDisposable> {
  // No Temporal and no service: nobody comes so far.
  vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1');
  const port = await freePort();
  const stack = new AsyncDisposableStack();
  const provider = stack.use(await startOpenIdProvider(`http://127.0.0.1:${port}`, host));
  const tested = stack.use(
    await newTestConsole({
      ...withoutService,
      CONSOLE_PORT: String(port),
      CONSOLE_OIDC_ISSUER: provider.issuer,
      CONSOLE_OIDC_CLIENT_ID: CLIENT.id,
      CONSOLE_OIDC_CLIENT_SECRET: CLIENT.secret,
      CONSOLE_OIDC_GROUPS: 'desk=look,decide; CN=claims,OU=people=inbox:claims%2C%20all',
    }),
  );
  return { provider, tested, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
