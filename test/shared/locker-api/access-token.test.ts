// The API client's access token: fetched once for all, renewed in time, refetched once after a 401; and every way
// in which the token service can fail.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tokenErrors } from '../../../contract/index.ts';
import { apiError, book, booked, clientSecret, withApi } from './api-under-test.ts';
import { failure, json, type Reply, raw, success, text, tokenReply } from './test-server.ts';

const CALLS = 100;

afterEach(() => void vi.useRealTimers());

/** 401 for these tokens, success for others. */
const refusing =
  (...tokens: string[]): Reply =>
  (response, request) =>
    (tokens.includes(request.headers.authorization ?? '') ? failure(401, 'Unauthorized') : success(booked))(
      response,
      request,
    );

describe('the access token', () => {
  it('is asked for with the form of the interface', async () => {
    await withApi({}, async ({ api, tokenService }) => {
      await book(api);
      const [request] = tokenService.requests;
      expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
      expect(request?.headers.authorization).toBeUndefined();
      expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
        client_id: 'client',
        client_secret: clientSecret,
        grant_type: 'client_credentials',
        scope: 'integration_api',
      });
    });
  });

  it('is fetched once for many calls at a time, when there is none and when it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await withApi({ token: tokenReply(60) }, async ({ api, service, tokenService }) => {
      const burst = () => Promise.all(Array.from({ length: CALLS }, () => book(api)));
      await burst();
      expect(tokenService.requests).toHaveLength(1);
      vi.setSystemTime(Date.now() + 61_000);
      await burst();
      expect(tokenService.requests).toHaveLength(2);
      const tokens = service.requests.map(({ headers }) => headers.authorization);
      expect(new Set(tokens.slice(0, CALLS))).toEqual(new Set(['Bearer token-secret-1']));
      expect(new Set(tokens.slice(CALLS))).toEqual(new Set(['Bearer token-secret-2']));
    });
  });

  it.each([
    ['is kept for most of its life', 53_000, 1],
    ['is renewed shortly before it expires', 55_000, 2],
    ['is not trusted when the clock was set back', -1_000, 2],
  ])('%s', async (_, later, requests) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await withApi({ token: tokenReply(60) }, async ({ api, tokenService }) => {
      await book(api);
      vi.setSystemTime(Date.now() + later);
      await book(api);
      expect(tokenService.requests).toHaveLength(requests);
    });
  });

  it('that comes without a lifetime is used, and soon renewed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = json(200, { access_token: 'token', token_type: 'bearer' });
    await withApi({ token }, async ({ api, tokenService }) => {
      await book(api);
      await book(api);
      expect(tokenService.requests).toHaveLength(1);
      vi.setSystemTime(Date.now() + 60_000);
      await book(api);
      expect(tokenService.requests).toHaveLength(2);
    });
  });

  it('is fetched again after a 401, and the call is repeated', async () => {
    await withApi({ reply: refusing('Bearer token-secret-1') }, async ({ api, service, tokenService }) => {
      expect(await book(api, { idempotencyKey: 'key' })).toEqual(booked);
      expect([service.requests.length, tokenService.requests.length]).toEqual([2, 2]);
      expect(service.requests[1]?.body).toBe(service.requests[0]?.body);
      expect(service.requests[1]?.headers['idempotency-key']).toBe('key');
    });
  });

  it('is fetched only once if many calls get a 401 at the same time', async () => {
    await withApi({ reply: refusing('Bearer token-secret-1') }, async ({ api, tokenService }) => {
      await Promise.all(Array.from({ length: CALLS }, () => book(api)));
      expect(tokenService.requests).toHaveLength(2);
    });
  });

  it.each([
    ['with an envelope', failure(401, 'Unauthorized', 'expired')],
    ['without one', text(401, 'text/plain', '', { 'www-authenticate': 'Bearer' })],
  ])('is fetched again only once if every call gets a 401 %s', async (_, reply) => {
    await withApi({ reply }, async ({ api, service, tokenService }) => {
      expect(await apiError(book(api))).toMatchObject({
        code: 'Unauthorized',
        httpStatus: 401,
        retryable: false,
        mayHaveReachedService: 'yes',
      });
      expect([service.requests.length, tokenService.requests.length]).toEqual([2, 2]);
    });
  });
});

const refused = { code: 'TokenRefused', retryable: false };
const failed = { code: 'TokenServiceFailed', retryable: true };
const rfc = Object.entries(tokenErrors).map(([error, status]): [string, Reply, object] => [
  `refuses with ${error}`,
  json(status, { error, error_description: `no ${clientSecret}` }),
  { ...refused, httpStatus: status },
]);

describe('a token service that', () => {
  it.each<[string, Reply, object]>([
    ...rfc,
    ['refuses with a code of its own', json(400, { error: 'unauthorized_client' }), refused],
    ['answers 401 with a page', text(401, 'text/html', '<html>who are you</html>'), refused],
    ['answers 400 with a page', text(400, 'text/html', '<html>bad</html>'), failed],
    ['answers 500', json(500, { error: 'server_error' }), { ...failed, httpStatus: 500 }],
    ['answers 502 with a page', text(502, 'text/html', '<html>bad gateway</html>'), failed],
    [
      'limits the rate',
      json(429, { error: 'slow_down' }, { 'retry-after': '3' }),
      { ...failed, httpStatus: 429, retryAfterMs: 3_000 },
    ],
    ['redirects', text(302, 'text/html', '', { location: 'http://127.0.0.1:1/' }), failed],
    ['answers 200 without JSON', text(200, 'text/html', '<html></html>'), failed],
    ['answers 200 with nothing', text(200, 'application/json', ''), failed],
    ['leaves out the token', json(200, { token_type: 'bearer', expires_in: 60 }), failed],
    [
      'gives another type of token',
      json(200, { access_token: 'token', token_type: 'mac', expires_in: 60 }),
      failed,
    ],
    ['resets', (response) => void response.socket?.resetAndDestroy(), failed],
    ['cuts its answer', raw('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"access_token":"to'), failed],
    ['answers without end', text(200, 'application/json', ' '.repeat(200_000)), failed],
  ])('%s fails the call before it is made', async (_, token, expected) => {
    await withApi({ token }, async ({ api, service }) => {
      const error = await apiError(book(api));
      expect(error).toMatchObject({ ...expected, mayHaveReachedService: 'no' });
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(clientSecret);
      expect(service.requests).toEqual([]);
    });
  });

  it('is not there fails the call before it is made', async () => {
    await withApi({ options: { authUrl: 'http://127.0.0.1:1' } }, async ({ api, service }) => {
      expect(await apiError(book(api))).toMatchObject({ ...failed, mayHaveReachedService: 'no' });
      expect(service.requests).toEqual([]);
    });
  });

  it('never answers times the call out, and nothing was done', async () => {
    await withApi({ token: () => {} }, async ({ api }) => {
      const error = await apiError(book(api, { timeoutMs: 300 }));
      expect(error).toMatchObject({ code: 'TimedOut', mayHaveReachedService: 'no' });
    });
  });

  it('failed is asked again by the next call', async () => {
    await withApi({ token: text(503, 'text/plain', 'down') }, async ({ api, tokenService }) => {
      const errors = await Promise.all(Array.from({ length: 20 }, () => apiError(book(api))));
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['TokenServiceFailed']));
      expect(tokenService.requests).toHaveLength(1);
      tokenService.reply = tokenReply();
      expect(await book(api)).toEqual(booked);
    });
  });
});

it('the error of a token service says what it answered, and that a success had no token', async () => {
  const words = async (token: Reply) => {
    let said = '';
    await withApi({ token }, async ({ api }) => {
      said = (await apiError(book(api))).message;
    });
    return said;
  };
  expect(await words(json(500, { error: 'server_error' }))).toMatch(/answered 500 server_error(?! without)/);
  expect(await words(json(200, { token_type: 'bearer' }))).toContain('answered 200 without a token');
});

it('a refused connection tells the address and the port', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const authUrl = `http://${host}:18234`;
    await withApi({ options: { authUrl } }, async ({ api }) =>
      expect((await apiError(book(api))).message).toMatch(/ECONNREFUSED .*:18234/),
    );
  }
});
