// @module-tag invariant
// Who may call the API: tokens of the one issuer for the one audience, with the scope of each route; a person's session only
// from the console's own pages. Behind the guard is a Temporal without processes, and no service.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { AccessTokens } from '../../../console/access/access-tokens.ts';
import { everyFlowScope } from '../../../contract/wire/token.ts';
import { apiRoutes } from '../../security/expected-routes.ts';
import { pathOf } from '../../security/matrix.ts';
import { newKeyPair, published, type TokenIssuer, tokenIssuer } from '../../security/servers/token-issuer.ts';
import { newTaskQueue } from '../../support/temporal.ts';
import { codeOf, programOf } from '../api/program.ts';
import { newTestConsole, type TestConsole, withoutService } from '../console-world.ts';

const AUDIENCE = 'our-flows';

let issuer: TokenIssuer;
let server: TestConsole;

beforeAll(async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
  issuer = await tokenIssuer();
  server = await newTestConsole({
    ...withoutService,
    ...takesTokens(),
    LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

/** It has read no key of the issuer then. */
async function restart(): Promise<void> {
  await server.stop();
  await server.start();
}

/** The settings of a console that takes the tokens of the issuer. */
const takesTokens = () => ({ ...issuer.settings, API_AUDIENCE: AUDIENCE });

interface Claims {
  readonly issuer?: string;
  readonly audience?: string | string[];
  readonly expires?: string;
  readonly issuedAt?: string;
  readonly scope?: unknown;
  readonly scp?: unknown;
  readonly tenant?: unknown;
  readonly client_id?: string;
  readonly subject?: string;
  readonly header?: object;
  readonly key?: Parameters<SignJWT['sign']>[0];
}

const signed = ({
  issuer: iss = issuer.url,
  audience = AUDIENCE,
  expires = '5m',
  issuedAt = '0s',
  subject = 'shop',
  key,
  header,
  ...claims
}: Claims) =>
  new SignJWT({ scope: 'flows:read', tenant: 'demo', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'first', typ: 'at+jwt', ...header })
    .setIssuer(iss)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expires)
    .sign(key ?? issuer.first.privateKey);

/** Who is let in reads a list, without a code. */
const LET_IN = '200 undefined';

/** What is said to a token at an address where there is nothing, which it may read. */
const read = async (claims: Claims) =>
  codeOf(await programOf(server.address, await signed(claims)).get('/v1/nothing'));
const READ = '404 NotFound';

/** What is said to whoever starts a flow for a person that these scopes do not allow. */
const startedFor = async (person: string, claims: object, { address }: TestConsole = server) => {
  const token = await signed({ scope: 'flows:start:Stock', ...claims } as Claims);
  const body = { flow: 'Issue', key: 'order-1' };
  return codeOf(await programOf(address, token).post('/v1/processes', body, { 'x-on-behalf-of': person }));
};

test('a token of the issuer for the audience is let in, whatever form its scopes have', async () => {
  expect(await read({})).toBe(READ);
  expect(await read({ audience: ['other', AUDIENCE], header: { typ: 'JWT' } })).toBe(READ);
  expect(await read({ scope: undefined, scp: ['flows:read'] })).toBe(READ);
});

test('a token of another tenant is refused, and so is one that names none', async () => {
  expect(await read({ tenant: ['other', 'demo'] })).toBe(READ);
  for (const tenant of ['other', ['other'], 'Demo', '', undefined, { demo: true }, [['demo']]]) {
    const { status, body } = await programOf(server.address, await signed({ tenant })).get('/v1/nothing');
    expect([status, body]).toMatchObject([
      403,
      { code: 'WrongTenant', detail: expect.stringContaining('of the tenant demo') },
    ]);
  }
});

test('the names in a token are one line each, cut each by itself, and none hides the other', async () => {
  const tenant = { claim: 'tenant', value: 'demo' };
  const tokens = new AccessTokens({ issuer: issuer.url, audience: AUDIENCE, tenant, jwksUrl: undefined });
  const by = async (subject: string, client_id?: string) =>
    (await tokens.callerOf(await signed({ subject, ...(client_id !== undefined && { client_id }) }))).by;
  expect(await by('anna  \n de\u202e Vries', 'desk')).toBe('anna de Vries by desk (API)');
  expect(await by(`anna${' '.repeat(96)}`, 'desk')).toBe('anna by desk (API)');
  expect(await by('a'.repeat(500), 'd'.repeat(500))).toBe(`${'a'.repeat(80)} by ${'d'.repeat(80)} (API)`);
  expect(await by('desk by anna')).toBe('desk-by-anna (API)');
});

test('the claim with the tenant of a foreign issuer is a setting', async () => {
  await using foreign = await newTestConsole({
    ...takesTokens(),
    API_TENANT: 'acme',
    API_TENANT_CLAIM: 'org.name',
  });
  const code = async (claims: object) =>
    codeOf(await programOf(foreign.address, await signed(claims as Claims)).get('/v1/nothing'));
  expect(await code({ org: { name: 'acme' } })).toBe(READ);
  expect(await code({ tenant: 'acme' })).toBe('403 WrongTenant');
});

test('a console that takes tokens does not start without its tenant', async () => {
  await expect(newTestConsole({ API_ISSUER: issuer.url })).rejects.toThrow(
    'API_TENANT: is required with API_ISSUER',
  );
});

test.each<[string, Claims]>([
  ['another audience', { audience: 'integration_api' }],
  ['another issuer', { issuer: 'https://evil.example' }],
  ['a past', { expires: '-1m' }],
  ['a future', { issuedAt: '1m' }],
  ['a subject that nobody sees', { subject: '\u3164', client_id: 'desk' }],
  ['a client that nobody sees', { client_id: '\u2800' }],
  ['a type of its own', { header: { typ: 'logout+jwt' } }],
])('a token with %s is refused', async (_what, claims) => {
  expect(await read(claims)).toBe('401 InvalidToken');
});

test('a token without a signature, with a secret as its key, or with a key of somebody else is refused', async () => {
  const parts = (await signed({})).split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  const jwk = Buffer.from(JSON.stringify(issuer.keys[0]));
  const hmac = await signed({ header: { alg: 'HS256' }, key: jwk });
  const foreign = await signed({ key: (await newKeyPair()).privateKey });
  for (const token of [`${header}.${parts[1]}.`, hmac, foreign, 'rubbish', `${parts[0]}.${parts[1]}`]) {
    const answer = await programOf(server.address, token).get('/v1/processes');
    expect(codeOf(answer)).toBe('401 InvalidToken');
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  }
});

test('a new key of the issuer is found, and an issuer that is down is told', async () => {
  expect(await read({})).toBe(READ);
  const asked = issuer.asked.length;
  expect(await read({})).toBe(READ);
  expect(issuer.asked.length).toBe(asked);

  onTestFinished(async () => {
    issuer.isDown = false;
    await restart();
  });
  issuer.isDown = true;
  await restart();
  expect(await read({})).toBe('503 IssuerUnreachable');
});

test('a key that the issuer adds is taken, and one that it withdraws no longer', async () => {
  const [old = {}] = issuer.keys;
  onTestFinished(restart);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    issuer.keys = [old];
  });
  const second = await newKeyPair();
  const bySecond = () => read({ key: second.privateKey, header: { kid: 'second' } });
  expect(await read({})).toBe(READ);
  issuer.keys = [old, await published(second, 'second')];
  // Keys that nobody knows must not make it ask the issuer each time.
  vi.setSystemTime(Date.now() + 31_000);
  expect(await bySecond()).toBe(READ);
  expect(await read({})).toBe(READ);

  issuer.keys = issuer.keys.slice(1);
  vi.setSystemTime(Date.now() + 601_000);
  expect(await read({})).toBe('401 InvalidToken');
  expect(await bySecond()).toBe(READ);
});

test('a scope is its whole word, and one of an inbox is for that inbox', async () => {
  const code = async (scope: string, path: string) =>
    codeOf(await programOf(server.address, await signed({ scope })).get(path));
  expect(await code('flows:readall flows:read:x', '/v1/processes')).toBe('403 ScopeMissing');
  expect(await code('inbox:desk', '/v1/inbox?of=desk')).toBe(LET_IN);
  expect(await code('inbox:desk', '/v1/inbox?of=shop')).toBe('403 ScopeMissing');
  expect(await code('inbox:desk', '/v1/inbox')).toBe('403 ScopeMissing');
});

test('a program says for whom it acts; a person acts for nobody else', async () => {
  expect(await startedFor('anna', { client_id: 'shop' })).toBe('403 ScopeMissing');
  expect(await startedFor('%C2%A0%20', { client_id: 'shop' })).toBe('400 InvalidRequest');
  expect(await startedFor('anna', { client_id: 'portal' })).toBe('403 OnBehalfOfPerson');
  expect(await startedFor('anna', { azp: 'portal' })).toBe('403 OnBehalfOfPerson');
});

test('the service is told the names of the person and of the program, each cut by itself', async () => {
  const told: unknown[] = [];
  await using service = createServer(({ headers }, response) => {
    if (headers['x-on-behalf-of'] !== undefined) told.push(headers['x-on-behalf-of']);
    const token = { access_token: 'a-token', token_type: 'Bearer', expires_in: 3_600 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...token, success: true, error: null, message: null }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await using console = await newTestConsole({
    LOCKER_API_URL: url,
    LOCKER_AUTH_URL: url,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'none',
    ...takesTokens(),
  });
  const program = programOf(console.address, await signed({ scope: 'flows:decide', client_id: 'shop' }));
  const person = { 'x-on-behalf-of': 'a'.repeat(100) };
  await program.post('/v1/lockers/l-1/out-of-order', { outOfOrder: true }, person);
  expect(new Set(told.map((name) => decodeURIComponent(String(name))))).toEqual(
    new Set([`${'a'.repeat(48)} by shop (API)`]),
  );
});

test('a program of each known issuer may say for whom it acts', async () => {
  const code = (claims: object) => startedFor('anna', claims);
  const PROGRAM = '403 ScopeMissing';
  const PERSON = '403 OnBehalfOfPerson';
  const entra = { subject: 'a-uuid', azp: 'portal' };
  expect(await code({ ...entra, idtyp: 'app' })).toBe(PROGRAM);
  expect(await code({ subject: 'a-uuid', appid: 'portal', idtyp: 'app' })).toBe(PROGRAM);
  expect(await code({ ...entra, idtyp: 'user' })).toBe(PERSON);
  expect(await code({ ...entra, idtyp: 'app', scp: 'flows:read' })).toBe(PERSON);
  expect(await code({ subject: 'a-uuid', appid: 'portal' })).toBe(PERSON);

  const auth0 = { subject: 'portal@clients', azp: 'portal', gty: 'client-credentials' };
  expect(await code(auth0)).toBe(PROGRAM);
  for (const other of [{ gty: 'password' }, { gty: undefined }, { azp: 'shop' }, { subject: 'auth0|1' }])
    expect(await code({ ...auth0, ...other })).toBe(PERSON);

  const keycloak = {
    subject: 'a-uuid',
    azp: 'Portal',
    client_id: 'Portal',
    preferred_username: 'service-account-portal',
  };
  expect(await code(keycloak)).toBe(PROGRAM);
  expect(await code({ ...keycloak, client_id: undefined, clientId: 'Portal' })).toBe(PROGRAM);
  for (const other of [
    // Who chooses this name at a client without a service account.
    { client_id: undefined },
    { sid: 'a-session' },
    { preferred_username: 'service-account-shop' },
    { preferred_username: 'Portal' },
  ])
    expect(await code({ ...keycloak, ...other })).toBe(PERSON);

  expect(await code({ subject: 'portal', cid: 'portal' })).toBe(PROGRAM);
  expect(await code({ subject: 'anna', cid: 'portal' })).toBe(PERSON);
  expect(await code({ subject: 'anna' })).toBe(PERSON);
});

test('what marks the programs of another issuer is a setting', async () => {
  const code = async (programClaim: string, claims: object) => {
    await using console = await newTestConsole({ ...takesTokens(), API_PROGRAM_CLAIM: programClaim });
    return await startedFor('anna', { subject: 'portal@clients', ...claims }, console);
  };
  expect(await code('sub=<client>@clients', { client_id: 'portal' })).toBe('403 ScopeMissing');
  expect(await code('sub=<client>@clients', { client_id: 'shop' })).toBe('403 OnBehalfOfPerson');
  expect(await code('sub=<client>@clients', {})).toBe('403 OnBehalfOfPerson');
  expect(await code('acme.kind=machine', { acme: { kind: 'machine' } })).toBe('403 ScopeMissing');
  expect(await code('acme.kind=machine', { acme: { kind: ['machine'] } })).toBe('403 OnBehalfOfPerson');
  await expect(code('kind', {})).rejects.toThrow('API_PROGRAM_CLAIM: must be a claim and its value');
});

test('a program is named by its client, and one of Entra ID has its scopes in roles', async () => {
  const tenant = { claim: 'tenant', value: 'demo' };
  const tokens = new AccessTokens({ issuer: issuer.url, audience: AUDIENCE, tenant, jwksUrl: undefined });
  const claims = { subject: 'a-uuid', azp: 'portal by anna', scope: undefined, roles: ['flows:decide'] };
  const program = await tokens.callerOf(await signed({ ...claims, idtyp: 'app' } as Claims));
  expect(program).toMatchObject({ by: 'portal-by-anna (API)', isPerson: false });
  expect(program.may('decide')).toBe(true);
  const person = await tokens.callerOf(await signed(claims as Claims));
  expect(person).toMatchObject({ by: 'a-uuid by portal by anna (API)', isPerson: true });
  expect(person.may('decide')).toBe(false);
});

/** The status with all scopes but those that are enough, and with each of those. */
async function statusesOf(route: string, scope: string): Promise<{ without: number; withOne: number[] }> {
  const [method = '', url = ''] = route.split(' ');
  const others = [...everyFlowScope, 'inbox:desk'];
  // Who may decide and read may also answer and look in every inbox.
  const enough =
    scope === 'inbox:desk' ? [scope, method === 'GET' ? 'flows:read' : 'flows:decide'] : scope.split(' or ');
  const asked = async (scopes: readonly string[]) => {
    const program = programOf(server.address, await signed({ scope: scopes.join(' ') }));
    const path = pathOf(url, { key: 'order-1', flow: 'Issue', id: '1' });
    const query = scope === 'inbox:desk' ? '?of=desk' : '';
    return (await (method === 'GET' ? program.get(path + query) : program.post(path, { wrong: 1 }))).status;
  };
  const [without = 0, ...withOne] = await Promise.all([
    asked(others.filter((each) => !enough.includes(each))),
    ...enough.map((one) => asked([one])),
  ]);
  return { without, withOne };
}

test('each route needs the scope of its line', async () => {
  const asked = await Promise.all(
    Object.entries(apiRoutes).map(async ([route, { scope }]) => ({
      route,
      ...(await statusesOf(route, scope)),
    })),
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter(({ without }) => without !== 403)).toEqual([]);
  expect(asked.filter(({ withOne }) => withOne.includes(403))).toEqual([]);
});

test('a token that may start one flow starts no other', async () => {
  const program = programOf(server.address, await signed({ scope: 'flows:start:Stock' }));
  const start = (flow: string) => program.post('/v1/processes', { flow, key: 'order-1', request: {} });
  expect(codeOf(await start('Issue'))).toBe('403 ScopeMissing');
  expect(codeOf(await start('Stock'))).toBe('400 InvalidRequest');
});

test('with a token no session counts, and a session only from the own pages', async () => {
  const cookie = await server.cookieOf('olga');
  const asked = async (headers: Record<string, string>, method = 'GET') => {
    const answer = await fetch(`${server.address}/v1/processes`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: '{}' }),
    });
    const body = (await answer.json()) as { code: string };
    return `${answer.status} ${body.code}`;
  };
  expect(await asked({ cookie, authorization: 'Bearer rubbish' })).toBe('401 InvalidToken');
  expect(await asked({ cookie })).toBe(LET_IN);
  expect(await asked({ cookie, 'sec-fetch-site': 'cross-site' })).toBe('403 ForeignOrigin');
  expect(await asked({ cookie, origin: 'https://evil.example' })).toBe('403 ForeignOrigin');
  expect(await asked({ cookie, origin: 'https://evil.example' }, 'POST')).toBe('403 ForeignOrigin');
  expect(await asked({ cookie }, 'POST')).toBe('403 ForeignOrigin');
  expect(await asked({ cookie, origin: server.address }, 'POST')).toBe('400 InvalidRequest');
});

test('a program calls the API by any name of the host, and no other route', async () => {
  const authorization = `Bearer ${await signed({})}`;
  const { get } = programOf(server.address, await signed({}));
  expect(codeOf(await get('/v1/nothing'))).toBe('404 NotFound');
  const page = await fetch(`${server.address}/api/walls`, { headers: { authorization } });
  expect(page.status).toBe(401);
});

test('a body over the limit and one that is no JSON are refused as problems', async () => {
  const program = programOf(server.address, await signed({ scope: 'flows:start' }));
  const large = await program.post('/v1/processes', { key: 'x'.repeat(1_100_000) });
  expect(codeOf(large)).toBe('413 InvalidRequest');
  const secret = '7-'.repeat(500);
  for (const [body, why] of [
    ['', /empty/],
    ['{', /^The body is not JSON: .* at position 1\b/],
    ['{ "key": "a",\n  "flow": Issue }', /^The body is not JSON: Unexpected token 'I', .*"flow": Issue/],
    [`{ "pin": "${secret}", "why": ${secret} }`, /^The body is not JSON: .{1,120}$/],
    ['{"request":{"__proto__":{}}}', /^The body has the key __proto__ or constructor\.prototype/],
    ['{"constructor":{"prototype":{}}}', /^The body has the key __proto__ or constructor\.prototype/],
  ] as const) {
    const answer = await fetch(`${server.address}/v1/processes`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${program.token}`, 'content-type': 'application/json' },
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'InvalidRequest', detail: expect.stringMatching(why) },
    ]);
  }
});

test('a program with a token learns which methods a path takes, and that an address is not one', async () => {
  const put = async (claims: Claims) => {
    const headers = { authorization: `Bearer ${await signed(claims)}` };
    return (await fetch(`${server.address}/v1/processes`, { method: 'PUT', headers })).status;
  };
  expect(await put({})).toBe(405);
  expect(await put({ audience: 'others' })).toBe(401);
  const malformed = await programOf(server.address, await signed({})).get('/v1/processes/%ff');
  expect(codeOf(malformed)).toBe('400 InvalidRequest');
  expect(malformed.headers.get('content-type')).toContain('application/problem+json');
});
