// The access token of the API client (interface: Authentication). It does not know which call it is for.
import type { Dispatcher } from 'undici';
import { TOKEN_PATH, TOKEN_SCOPE, tokenResponse } from '../../contract/index.ts';
import { retryAfterMs } from '../limits/retry-after.ts';
import { type HttpAnswer, HttpExchangeError, httpExchange, shownReason } from './http-exchange.ts';
import { type Evidence, evidence } from './redact-response.ts';
import { type FetchedToken, TokenCache } from './token-cache.ts';

// A token answer is some 2 kB; more is not one.
const MAXIMUM_TOKEN_ANSWER_BYTES = 100_000;

interface TokenCredentials {
  readonly authUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
}

export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: 'TokenRefused' | 'TokenServiceFailed';
  readonly httpStatus: number | null;
  readonly retryAfterMs: number | null;
  readonly evidence: Evidence;

  constructor(code: TokenError['code'], response: Evidence, answer?: HttpAnswer) {
    super(`no access token: ${response.reason}`);
    this.code = code;
    this.evidence = response;
    this.httpStatus = answer?.status ?? null;
    this.retryAfterMs = answer ? retryAfterMs(answer.header('retry-after'), answer.header('date')) : null;
  }
}

export const accessToken = (dispatcher: Dispatcher, credentials: TokenCredentials): TokenCache =>
  new TokenCache(() => fetchedToken(dispatcher, credentials));

async function fetchedToken(dispatcher: Dispatcher, credentials: TokenCredentials): Promise<FetchedToken> {
  const answer = await tokenAnswer(dispatcher, credentials);
  const json = readJson(answer.body);
  const { data } = tokenResponse.safeParse(json);
  if (answer.status === 200 && data) return { value: data.access_token, lifetimeMs: data.expires_in * 1_000 };
  const refusal = tokenErrorCode(json);
  const refused = answer.status === 401 || (answer.status === 400 && refusal !== null);
  const reason = `the token service answered ${answer.status}${refusal ? ` ${refusal}` : ''}`;
  const message = refused || answer.status !== 200 ? reason : `${reason} without a token`;
  throw new TokenError(
    refused ? 'TokenRefused' : 'TokenServiceFailed',
    evidence(message, answer, [credentials.clientSecret]),
    answer,
  );
}

async function tokenAnswer(
  dispatcher: Dispatcher,
  { authUrl, clientId, clientSecret, timeoutMs }: TokenCredentials,
): Promise<HttpAnswer> {
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: TOKEN_SCOPE,
  });
  try {
    return await httpExchange(
      dispatcher,
      {
        url: new URL(authUrl.href.replace(/\/$/, '') + TOKEN_PATH),
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
      },
      { signal: AbortSignal.timeout(timeoutMs), maximumAnswerBytes: MAXIMUM_TOKEN_ANSWER_BYTES },
    );
  } catch (error) {
    if (!(error instanceof HttpExchangeError)) throw error;
    const isLate = error.failure === 'Stopped';
    const reason = isLate ? `no answer within ${timeoutMs} ms` : shownReason(error, [clientSecret]);
    throw new TokenError('TokenServiceFailed', { reason: `token service: ${reason}` });
  }
}

/** RFC 6749 section 5.2: error is a code of these characters; anything else is not shown. */
function tokenErrorCode(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('error' in json)) return null;
  const { error } = json;
  return typeof error === 'string' && /^[a-z_]{1,50}$/.test(error) ? error : null;
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined; // What came instead is told by the evidence.
  }
}
