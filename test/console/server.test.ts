// The console over HTTP: who gets in, what a browser may do, and what other sites cannot.
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '../security/expected-routes.ts';
import {
  LINK_SECRET,
  newTestConsole,
  PASSWORD,
  type TestConsole,
  useConsoleAlone,
  withoutService,
} from './console-world.ts';

const PAGE = join(import.meta.dirname, '../../console/page/dist');
const console = useConsoleAlone();
let tested: TestConsole;
beforeAll(() => {
  tested = console();
});

const me = async (headers: Readonly<Record<string, string>>) =>
  ((await (await fetch(`${tested.address}/api/me`, { headers })).json()) as { user: unknown }).user;

const nameOfCookie = (cookie: string): string => cookie.split('=')[0] ?? '';

/** With headers that fetch does not let a program set. */
function statusOf(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${tested.address}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}

describe('who gets in', () => {
  test('nobody without a session, and every address below /api/ and /v1/ says so', async () => {
    for (const path of ['/v1/processes', '/api/walls', '/api/none'])
      expect((await fetch(tested.address + path)).status, path).toBe(401);
    expect(await me({})).toBeNull();
    expect(await me({ cookie: `${nameOfCookie(await tested.cookieOf('anna'))}=guessed` })).toBeNull();
  });

  test('a person with the right password, whose cookie no script reads and no other site sends', async () => {
    const wrong = await tested.post('/api/sign-in', { name: 'anna', password: 'wrong' });
    expect(wrong.status).toBe(401);
    const unknown = await tested.post('/api/sign-in', { name: 'nobody', password: PASSWORD });
    // The same answer: it does not tell which names there are.
    expect(await unknown.json()).toEqual(await wrong.json());
    const right = await tested.post('/api/sign-in', { name: 'anna', password: PASSWORD });
    const cookie = right.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(await me({ cookie: cookie.split(';')[0] ?? '' })).toEqual({
      name: 'anna',
      roles: ['look'],
      inboxes: [],
    });
  });

  test('a person whose browser sends another cookie of the name first, set by another site of the host', async () => {
    const mine = await tested.cookieOf('anna');
    const name = nameOfCookie(mine);
    const cookie = `${name}=evil; ${mine}; ${name}=; ${name}`;
    expect(await me({ cookie })).toMatchObject({ name: 'anna' });
    const [users, other] = [readFileSync(tested.usersPath, 'utf8'), await tested.cookieOf('bram')];
    // A session that counts no more is no obstacle either.
    writeFileSync(tested.usersPath, users.replace(/^bram.*$/m, ''));
    expect(await me({ cookie: `${other}; ${mine}` })).toMatchObject({ name: 'anna' });
    writeFileSync(tested.usersPath, users);
    await tested.post('/api/sign-out', {}, { cookie });
    expect(await me({ cookie: mine })).toBeNull();
  });

  test('another console on the same host overwrites no cookie; one by https has a cookie of its host alone', async () => {
    await using other = await newTestConsole({ ...withoutService, CONSOLE_URL: 'https://console.example' });
    const set = async (server: TestConsole, headers = {}) => {
      const answer = await server.post('/api/sign-in', { name: 'anna', password: PASSWORD }, headers);
      return answer.headers.get('set-cookie') ?? '';
    };
    const port = (server: TestConsole) => new URL(server.address).port;
    expect(nameOfCookie(await set(tested))).toBe(`lockerflow-console-${port(tested)}`);
    const secure = await set(other);
    expect(secure).toMatch(
      new RegExp(`^__Host-lockerflow-console-${port(other)}=[^;]+; Path=/; .*; Secure$`),
    );
    expect(secure).not.toMatch(/domain/i);
  });

  test('the link signs in once, also after a restart', async () => {
    const first = await tested.post('/api/sign-in/link', { secret: LINK_SECRET });
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await me({ cookie })).toMatchObject({ roles: ['look', 'decide', 'administer'] });
    await tested.stop();
    await tested.start();
    // The connections of before are cut first.
    const roles = ['look', 'decide', 'administer'];
    await expect.poll(() => me({ cookie }).catch(() => null)).toMatchObject({ roles });
    expect((await tested.post('/api/sign-in/link', { secret: LINK_SECRET })).status).toBe(401);
    expect((await tested.post('/api/sign-in/link', { secret: 'x'.repeat(46) })).status).toBe(401);
  });

  test('not a person who has signed out, or who is taken out of the file', async () => {
    const cookie = await tested.cookieOf('anna');
    await tested.post('/api/sign-out', {}, { cookie });
    expect(await me({ cookie })).toBeNull();
    const bram = await tested.cookieOf('bram');
    const text = readFileSync(tested.usersPath, 'utf8');
    writeFileSync(tested.usersPath, text.replace(/^bram.*$/m, ''));
    expect(await me({ cookie: bram })).toBeNull();
    writeFileSync(tested.usersPath, text);
    expect(await me({ cookie: bram })).toMatchObject({ name: 'bram' });
  });
});

describe('what a person may do', () => {
  test('a body with half a surrogate pair is refused, with the field, before anything is asked', async () => {
    const headers = { cookie: await tested.cookieOf('bram') };
    const answer = await tested.post('/v1/events', { where: { device: '\ud83d' } }, headers);
    const errors = [{ field: 'where.device' }];
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors }]);
  });

  test('a request of another site, or of none, changes nothing, whatever cookie it carries', async () => {
    const cookie = await tested.cookieOf('bram');
    const json = { 'content-type': 'application/json', cookie };
    const path = '/v1/events';
    expect(await statusOf(path, { ...json, origin: 'https://evil.example' }, 'POST')).toBe(403);
    expect(await statusOf(path, { ...json, origin: 'null' }, 'POST')).toBe(403);
    expect(await statusOf(path, json, 'POST')).toBe(403);
    const ours = { ...json, origin: tested.address };
    expect(await statusOf(path, { ...ours, 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
    expect(await statusOf(path, { ...ours, 'content-type': 'text/plain' }, 'POST')).toBe(415);
    // Only the body is wrong now.
    expect(await statusOf(path, ours, 'POST')).toBe(400);
  });

  test('another name for this address is refused: a site cannot reach it under a name of its own', async () => {
    expect(await statusOf('/', { host: 'evil.example' })).toBe(403);
    expect(await statusOf('/', { host: 'localhost:8088' })).toBe(200);
  });
});

describe('the page', () => {
  test('may load and ask nothing but the console itself', async () => {
    const answer = await fetch(`${tested.address}/processes?find=x`);
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('asks the API of processes, and routes of its own only for what is not about processes', () => {
    const folder = join(PAGE, '..');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      ({ name, parentPath }) => /\.tsx?$/.test(name) && !parentPath.startsWith(PAGE),
    );
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    const own = texts.flatMap((text) => [...text.matchAll(/\/api\/([a-z-]+)/g)].map(([, area]) => area));
    expect([...new Set(own)].sort()).toEqual(['desk', 'me', 'sign-in', 'sign-out', 'walls']);
  });

  test('has at most 80 kB in all, gzipped', () => {
    const files = readdirSync(PAGE, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(80_000);
  });

  test('a file that is not there is not the page', async () => {
    for (const path of ['/assets/none.js', '/../package.json', '/.built-from'])
      expect([path, await (await fetch(tested.address + path)).text()]).not.toContain('package-lock');
    expect((await fetch(`${tested.address}/assets/none.js`)).status).toBe(404);
  });
});

test('a search that is wrong says which field and what was expected', async () => {
  const headers = { cookie: await tested.cookieOf('anna') };
  const answer = await fetch(`${tested.address}/v1/processes?phase=Lost&olderThan=x`, { headers });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    code: 'InvalidRequest',
    errors: [
      { field: 'phase', message: expect.stringContaining('Overdue') },
      { field: 'olderThan', message: expect.stringContaining('a number of hours') },
    ],
  });
});

test('a page that nobody has given is refused before Temporal is asked, whoever knows how its checksum is made', async () => {
  const headers = { cookie: await tested.cookieOf('bram') };
  const token = Buffer.from('made up');
  const digests = [createHash('sha256'), createHmac('sha256', '')].map((each) => each.update(token).digest());
  const pages = digests.flatMap((digest) =>
    [6, 16].map((size) => Buffer.concat([digest.subarray(0, size), token])),
  );
  for (const page of [...pages, Buffer.from('x')]) {
    const cursor = page.toString('base64url');
    const answer = await fetch(`${tested.address}/v1/processes?cursor=${cursor}`, { headers });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('is not a page')]);
  }
});

test('while Temporal is away, every read of the API says so', async () => {
  const headers = { cookie: await tested.cookieOf('olga') };
  const values: Readonly<Record<string, string>> = {
    key: 'order-1',
    flow: 'Lending',
    id: 'none',
  };
  const paths = Object.keys(apiRoutes)
    // Work and the search have what can be read without it, and name what is missing; people and items are the service's.
    .filter((route) => route.startsWith('GET /v1/') && !/\*$|entries$|search$|people|items/.test(route))
    .map((route) =>
      route.slice('GET '.length).replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? name),
    )
    .map((path) => (path === '/v1/log' ? `${path}?since=2026-01-01T00:00:00Z` : path));
  expect(paths.length).toBeGreaterThan(10);
  const asked = paths.map(async (path) => {
    const answer = await fetch(tested.address + path, { headers });
    const { code } = (await answer.json()) as { code?: string };
    return { path, status: answer.status, code };
  });
  expect(await Promise.all(asked)).toEqual(
    paths.map((path) => ({ path, status: 503, code: 'TemporalUnreachable' })),
  );
});
