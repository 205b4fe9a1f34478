// Access tokens by OAuth2 client credentials (RFC 6749 section 4.4), from a token service that is named, or that OpenID Connect
// Discovery finds. Nothing of it is logged, and what the token service says in words is not shown.

import {
  type AuthorizationServer,
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  discoveryRequest,
  processClientCredentialsResponse,
  processDiscoveryResponse,
  ResponseBodyError,
} from 'oauth4webapi';
import type { Dispatcher } from 'undici';
import { retryAfterMs } from '../../shared/limits/retry-after.ts';
import { HttpExchangeError, httpExchange, shownReason } from '../../shared/locker-api/http-exchange.ts';
import type { FetchedToken } from '../../shared/locker-api/token-cache.ts';
import type { ClientCredentials } from '../../shared/settings/connector-credentials.ts';
import type { Connector } from '../../shared/settings/connectors.ts';
import { inSpan, untraced } from '../../shared/telemetry/spans.ts';
import { ConnectorError } from './exchange.ts';

// A call has up to 100 s of the two minutes of its activity, and may need two tokens.
const TOKEN_WITHIN_MS = 8_000;
// A token answer is some 2 kB, a discovery document some 10.
const MAXIMUM_ANSWER_BYTES = 200_000;
// Else every call would fail until the token ends, as if the other side were to blame: servers take some 8 kB of headers.
const SENDABLE = /^[\x21-\x7e]{1,6000}$/;
// RFC 6749 section 5.1: expires_in is only recommended.
const UNSTATED_LIFETIME_SECONDS = 300;

/** Throws ConnectorError: the call itself has not been sent. */
export async function clientCredentialsToken(
  dispatcher: Dispatcher,
  connector: Connector,
): Promise<FetchedToken> {
  const { name, oauth2, secrets } = connector;
  if (!oauth2) throw new TypeError(`${name} has no client credentials`);
  const attributes = { 'lockerflow.connector': name };
  return await inSpan(`token ${name}`, { kind: 'client', attributes }, async () => {
    try {
      return await untraced(() => fetchedToken(oauth2, fetchBy(dispatcher)));
    } catch (error) {
      throw tokenError(name, error, secrets);
    }
  });
}

type Fetch = (url: string, options: RequestOptions) => Promise<Response>;

interface RequestOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function fetchedToken(credentials: ClientCredentials, fetch: Fetch): Promise<FetchedToken> {
  const { tokenService, clientId, clientSecret, authentication, parameters } = credentials;
  const address = 'issuer' in tokenService ? tokenService.issuer : tokenService.tokenAddress;
  const options = {
    [customFetch]: fetch as never,
    // An address without TLS is the operator's own decision, as for the connector itself.
    ...(address.protocol === 'http:' && { [allowInsecureRequests]: true }),
  };
  const server: AuthorizationServer =
    'issuer' in tokenService
      ? await processDiscoveryResponse(address, await discoveryRequest(address, options))
      : { issuer: address.href, token_endpoint: address.href };
  const authenticate = authentication === 'basic' ? ClientSecretBasic : ClientSecretPost;
  const client = { client_id: clientId };
  const answer = await clientCredentialsGrantRequest(
    ...([server, client, authenticate(clientSecret)] as const),
    ...([parameters as Record<string, string>, options] as const),
  );
  const { access_token, expires_in, token_type } = await processClientCredentialsResponse(
    ...([server, client, answer] as const),
  );
  if (token_type !== 'bearer' || !SENDABLE.test(access_token))
    throw new Error('the token service gives no bearer token that a header can hold');
  return { value: access_token, lifetimeMs: (expires_in ?? UNSTATED_LIFETIME_SECONDS) * 1_000 };
}

/** Bounded as every other request of ours, and it follows no redirect. */
const fetchBy =
  (dispatcher: Dispatcher): Fetch =>
  async (url, { method, headers, body }) => {
    const { body: bytes, ...answer } = await httpExchange(
      dispatcher,
      {
        url: new URL(url),
        method: method as 'GET' | 'POST',
        headers: headerRecord(headers),
        body: body === undefined || body === null ? null : String(body),
      },
      { signal: AbortSignal.timeout(TOKEN_WITHIN_MS), maximumAnswerBytes: MAXIMUM_ANSWER_BYTES },
    );
    const kept = ['content-type', 'retry-after', 'date', 'www-authenticate'].flatMap((name) => {
      const value = answer.header(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    return new Response(bytes.length > 0 ? Buffer.from(bytes) : null, {
      status: answer.status,
      headers: kept,
    });
  };

const headerRecord = (headers: Readonly<Record<string, string>> | Headers): Record<string, string> =>
  Object.fromEntries(headers instanceof Headers ? headers : Object.entries(headers));

function tokenError(name: string, error: unknown, secrets: readonly string[]): ConnectorError {
  if (error instanceof HttpExchangeError) {
    const reason =
      error.failure === 'Stopped' ? `no answer within ${TOKEN_WITHIN_MS} ms` : shownReason(error, secrets);
    return failed(name, 'TokenServiceFailed', `its token service gives no answer (${reason})`);
  }
  const response = responseOf(error);
  if (error instanceof ResponseBodyError || response?.status === 401) {
    const code = error instanceof ResponseBodyError ? shownCode(error.error) : '';
    return failed(
      ...([name, 'Unauthorized'] as const),
      `its token service refuses the client${code}; the operator must repair clientId, clientSecretFile or scopes, and restart the worker`,
    );
  }
  const status = response ? ` (HTTP ${response.status})` : '';
  const delay = response
    ? retryAfterMs(response.headers.get('retry-after'), response.headers.get('date'))
    : null;
  return failed(name, 'TokenServiceFailed', `its token service gives no token${status}`, delay);
}

/** RFC 6749 section 5.2: a code of these characters; anything else may be anything. */
const shownCode = (code: string): string => (/^[a-z_]{1,50}$/.test(code) ? ` (${code})` : '');

function responseOf(error: unknown): Response | undefined {
  if (!(error instanceof Error)) return undefined;
  const { cause, response } = error as { readonly cause?: unknown; readonly response?: unknown };
  return [response, cause].find((each): each is Response => each instanceof Response);
}

/** The call was not sent: the worker repeats it. */
const failed = (name: string, code: string, message: string, delay: number | null = null): ConnectorError =>
  new ConnectorError({ code, message: `${name}: ${message}`, outcome: 'nothing', retryAfterMs: delay });
