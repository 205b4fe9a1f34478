// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the calls hold expressions.
// docs/connectors.md: OAuth2
// Calls with OAuth2 client credentials, against a token service and an API over real HTTP: one token for many calls, renewed near
// its end and once on a 401, and nothing of it or of the client's secret is shown.
import { inspect } from 'node:util';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { emitEvent } from '../../../activities/connectors/emit-event.ts';
import type { ConnectorCall } from '../../../activities/flow-file-activities.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, type Reply, startTestServer, text } from '../../shared/locker-api/test-server.ts';

const SECRET = 'client secret: of 100 % & more';
const KEYS = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

afterEach(() => vi.useRealTimers());

interface Token {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in?: number;
}

/** The service gives the tokens token-number-1, token-number-2 …, and the API takes those that are not refused. */
async function world({
  credentials = 'tokenAddress: "URL/token", scopes: [tickets, users], parameters: { audience: tickets-api }',
  token = {} as Partial<Token>,
  tokenReply = undefined as Reply | undefined,
  api = json(200, { number: 'INC-1' }) as Reply,
} = {}) {
  const logged: LogEntry[] = [];
  let given = 0;
  const refused = new Set<string>();
  const service: Reply = (response, request) => {
    if (request.path === '/.well-known/openid-configuration')
      return json(200, { issuer: server.url, token_endpoint: `${server.url}/token` })(response, request);
    given += 1;
    if (tokenReply) return tokenReply(response, request);
    const answer = { access_token: `token-number-${given}`, token_type: 'Bearer', expires_in: 3_600 };
    return json(200, { ...answer, ...token })(response, request);
  };
  const server = await startTestServer((response, request) => {
    if (!request.path.startsWith('/api')) return service(response, request);
    const [, used = ''] = request.headers.authorization?.split(' ') ?? [];
    return refused.has(used) || refused.has('all')
      ? json(401, { message: `not with ${used}` })(response, request)
      : api(response, request);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const settings = readConnectors(
    `connectors:
  tickets:
    address: "${server.url}/api"
    allow: ["GET,POST /**"]
    events: { signingKeyFile: keys }
    credentials: { oauth2: { ${credentials.replace('URL', server.url)}, clientId: "lock:erflow", clientSecretFile: secret } }`,
    (path) => (path === 'keys' ? KEYS : `${SECRET}\n`),
  );
  const connectors = new Connectors(settings);
  onTestFinished(() => connectors.close());
  const logger = new DefaultLogger('TRACE', (entry) => logged.push(entry));
  const run = <Result>(activity: () => Promise<Result>) =>
    new MockActivityEnvironment({}, { logger }).run(activity);
  return {
    refused,
    logged,
    connectors,
    run,
    call: (more: Partial<ConnectorCall> = {}) =>
      run(() =>
        callConnector(connectors, { connector: 'tickets', path: '/t', idempotencyKey: 'k', ...more }),
      ),
    tokens: () => server.requests.filter(({ path }) => path === '/token'),
    calls: () => server.requests.filter(({ path }) => path.startsWith('/api')),
  };
}

test('one token serves all calls and events, also those that begin together', async () => {
  const { call, tokens, calls, run, connectors } = await world();
  await Promise.all([call(), call(), call({ body: {} })]);
  const flow = { key: 'flow-1', name: 'Flow', version: 1 };
  const event = {
    type: 'x',
    data: null,
    at: '2026-01-01T00:00:00Z',
    number: 1,
    key: 'k',
    flow,
    to: 'tickets',
  };
  await run(() => emitEvent(connectors, event));
  expect(tokens()).toHaveLength(1);
  expect(calls().map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer token-number-1'));
  const [{ headers, body } = { headers: {}, body: '' }] = tokens();
  const [scheme, pair = ''] = headers.authorization?.split(' ') ?? [];
  const encoded = [...new URLSearchParams({ 'lock:erflow': SECRET }).toString().split('=')].join(':');
  expect([scheme, atob(pair)]).toEqual(['Basic', encoded]);
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    grant_type: 'client_credentials',
    scope: 'tickets users',
    audience: 'tickets-api',
  });
});

test('a client may prove itself in the body, and be sent to its token service by an issuer', async () => {
  const { call, tokens } = await world({ credentials: 'issuer: "URL", authentication: body' });
  expect(await call({ keep: '${body.number}' })).toBe('INC-1');
  expect(Object.fromEntries(new URLSearchParams(tokens()[0]?.body))).toMatchObject({
    client_id: 'lock:erflow',
    client_secret: SECRET,
  });
  expect(tokens()[0]?.headers.authorization).toBeUndefined();
});

test.each([
  [3_600, 3_200, 3_300],
  [10, 8.9, 9.1],
  [undefined, 265, 275],
])('a token of %s s is used for %s s, and renewed before %s s', async (expires_in, used, renewed) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const token = { expires_in } as Partial<Token>;
  const { call, tokens } = await world({ token });
  const begun = Date.now();
  await call();
  vi.setSystemTime(begun + used * 1_000);
  await call();
  expect(tokens()).toHaveLength(1);
  vi.setSystemTime(begun + renewed * 1_000);
  await call();
  expect(tokens()).toHaveLength(2);
});

test('a token that is not taken is renewed once, and a call that changes something is made once', async () => {
  const { call, refused, tokens, calls } = await world();
  refused.add('token-number-1');
  expect(await call({ body: {}, keep: '${body.number}' })).toBe('INC-1');
  expect([tokens().length, calls().length]).toEqual([2, 2]);
  expect(new Set(calls().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  refused.add('all');
  // Nothing was done: the worker repeats it, until the operator has repaired the rights of the client.
  await expect(call({ body: {} })).rejects.toMatchObject({ type: 'Unauthorized', nonRetryable: false });
  expect([tokens().length, calls().length]).toEqual([3, 4]);
});

const oneToken = (access_token: string) => json(200, { access_token, token_type: 'Bearer' });

const failures: readonly [what: string, reply: Reply, type: string, words: RegExp][] = [
  [
    'a client that is not known',
    json(401, { error: 'invalid_client' }),
    'Unauthorized',
    /refuses the client \(invalid_client\)/,
  ],
  [
    'a scope that it must not have',
    json(400, { error: 'invalid_scope' }),
    'Unauthorized',
    /\(invalid_scope\)/,
  ],
  [
    'words of its own',
    json(400, { error: SECRET, error_description: SECRET }),
    'Unauthorized',
    /refuses the client;/,
  ],
  ['an error page', text(500, 'text/html', SECRET), 'TokenServiceFailed', /HTTP 500/],
  ['a redirect', text(307, 'text/plain', SECRET, { location: '/api' }), 'TokenServiceFailed', /HTTP 307/],
  ['no JSON', text(200, 'text/html', SECRET), 'TokenServiceFailed', /no token/],
  ['no token', json(200, { token_type: 'Bearer' }), 'TokenServiceFailed', /no token/],
  [
    'a token of another kind',
    json(200, { access_token: 'token-number-1', token_type: 'mac' }),
    'TokenServiceFailed',
    /no token/,
  ],
  [
    'a token with a line of its own',
    oneToken('token-number-1\r\nX-Own: 1'),
    'TokenServiceFailed',
    /no token/,
  ],
  ['a token beyond ASCII', oneToken('token-number-\u00e4'), 'TokenServiceFailed', /no token/],
  ['a token of 14 kB', oneToken('token-number-1'.repeat(1_000)), 'TokenServiceFailed', /no token/],
  ['a cut answer', (response) => void response.socket?.destroy(), 'TokenServiceFailed', /gives no answer/],
  [
    'far too much',
    text(200, 'application/json', 'x'.repeat(300_000)),
    'TokenServiceFailed',
    /gives no answer/,
  ],
];

test.each(failures)(
  '%s from the token service: nothing is called, and the worker tries again',
  async (_, reply, type, words) => {
    const { call, calls, logged } = await world({ tokenReply: reply });
    const error: unknown = await call({ body: {} }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ type, nonRetryable: false, message: expect.stringMatching(words) });
    expect(calls()).toEqual([]);
    expect(inspect([error, logged], { depth: 12, showHidden: true })).not.toMatch(
      /client secret|100 %|token-number/,
    );
  },
);

test('an issuer that names another one is not believed', async () => {
  const { call } = await world({ credentials: 'issuer: "URL/other"' });
  await expect(call()).rejects.toMatchObject({ type: 'TokenServiceFailed', nonRetryable: false });
});

test('no answer gives a token or the secret away, whatever it repeats', async () => {
  const pair = btoa([...new URLSearchParams({ 'lock:erflow': SECRET }).toString().split('=')].join(':'));
  const api: Reply = (response, request) =>
    json(200, { told: request.headers, SECRET, pair, escaped: encodeURIComponent(SECRET) })(
      response,
      request,
    );
  const { call, logged } = await world({ api });
  const kept = await call({ keep: '${body}' });
  expect(inspect([kept, logged], { depth: 12 })).not.toMatch(/token-number|client secret|client%20secret/);
  expect(JSON.stringify(kept)).not.toContain(pair);
});

const wrong: readonly [what: string, credentials: string, words: RegExp][] = [
  [
    'neither tokenAddress nor issuer',
    'clientId: a, clientSecretFile: s',
    /exactly one of tokenAddress, issuer/,
  ],
  [
    'both',
    'tokenAddress: "https://a.example", issuer: "https://a.example", clientId: a, clientSecretFile: s',
    /exactly one/,
  ],
  [
    'an address that is none',
    'tokenAddress: a, clientId: a, clientSecretFile: s',
    /tokenAddress: must be an http or https/,
  ],
  [
    'a scope with a blank',
    'issuer: "https://a.example", clientId: a, clientSecretFile: s, scopes: [a b]',
    /must be a scope/,
  ],
  [
    'a parameter of ours',
    'issuer: "https://a.example", clientId: a, clientSecretFile: s, parameters: { scope: a }',
    /worker sets this one/,
  ],
];

test.each(wrong)('a file with %s is refused when the worker starts', (_, oauth2, words) => {
  const read = () =>
    readConnectors(
      `connectors: { a: { address: "https://a.example", allow: ["GET /"], credentials: { oauth2: { ${oauth2} } } } }`,
      () => SECRET,
    );
  expect(read).toThrow(words);
});
