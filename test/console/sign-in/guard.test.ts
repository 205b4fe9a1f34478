// No spelling of a URL reaches a route of the console that its caller may not use. Each handler that needs a role is replaced
// by one that names its route: what is tested is the way to it.
import fc from 'fast-check';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardConsole } from '../../../console/sign-in/guard.ts';
import { type ConsoleAccess, consoleRoutes } from '../../security/console-routes.ts';
import { nameOf, registeredRoutes } from '../../security/registered-routes.ts';
import { anySpellingOf, spellingsOf } from '../../security/spellings.ts';
import { sendRaw } from '../../service/http/raw-http.ts';
import { newTestConsole, people, type TestConsole } from '../console-world.ts';

const NOBODY = { LOCKER_API_URL: 'http://127.0.0.1:1', LOCKER_AUTH_URL: 'http://127.0.0.1:1' };
const nobody = { ...NOBODY, LOCKER_CLIENT_ID: 'demo', LOCKER_CLIENT_SECRET: 'none' };

interface Route {
  readonly method: string;
  /** With values for its parameters. */
  readonly path: string;
  readonly access: ConsoleAccess;
}

interface Person {
  readonly who: string;
  readonly roles: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

let tested: TestConsole;
let routes: readonly Route[];
let persons: readonly Person[];
beforeAll(async () => {
  process.env.TEMPORAL_ADDRESS = '127.0.0.1:1';
  const started = await registeredRoutes(
    () => newTestConsole(nobody),
    (route) => {
      if (accessOf(route) !== 'open')
        route.options.handler = async (_, reply) => reply.header('x-reached', nameOf(route)).send({});
    },
  );
  tested = started.server;
  routes = started.routes.map((route) => ({
    method: route.method,
    path: route.url.replace(':number', '1').replace(/:\w+/, 'order-1').replace('*', 'x'),
    access: accessOf(route),
  }));
  const signedIn = Object.entries(people).map(async ([who, roles]) => ({
    who,
    roles: roles.split(','),
    headers: { cookie: await tested.cookieOf(who as keyof typeof people) },
  }));
  persons = [
    { who: 'nobody', roles: [], headers: {} },
    { who: 'a guessed cookie', roles: [], headers: { cookie: 'lockerflow-console=guessed' } },
    ...(await Promise.all(signedIn)),
  ];
});
afterAll(() => tested[Symbol.asyncDispose]());

/** Throws a TypeError for a route without a line. */
function accessOf(route: { readonly method: string; readonly url: string }): ConsoleAccess {
  const name = nameOf(route).replace(/^HEAD /, 'GET ');
  const access = consoleRoutes[name];
  if (access !== undefined) return access;
  throw new TypeError(`${name} has no line in test/security/console-routes.ts: say there who may call it`);
}

/** Gives the status, and the access that the reached handler needs. */
async function asked(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const body = method === 'POST' ? '{}' : '';
  const all = {
    host: new URL(tested.address).host,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status, head } = await sendRaw(
    tested.address,
    `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`,
  );
  const [, reachedMethod = '', url = ''] = /^x-reached: (\S+) (\S+)$/m.exec(head) ?? [];
  return { status, reached: url === '' ? undefined : accessOf({ method: reachedMethod, url }) };
}

const sameOrigin = () => ({ origin: tested.address });
const isAllowed = ({ roles }: Person, access: ConsoleAccess) => access === 'open' || roles.includes(access);

describe('every route', () => {
  test('is reached by exactly those who have its role; others get 401 without a session, and 403 with one', async () => {
    expect(routes.length).toBeGreaterThan(30);
    const wrong: unknown[] = [];
    for (const { method, path, access } of routes.filter((route) => route.access !== 'open'))
      for (const person of persons) {
        const answer = await asked(method, path, { ...sameOrigin(), ...person.headers });
        const refused = person.roles.length === 0 ? 401 : 403;
        const expected = isAllowed(person, access)
          ? { status: 200, reached: access }
          : { status: refused, reached: undefined };
        if (answer.status !== expected.status || answer.reached !== expected.reached)
          wrong.push([person.who, method, path, answer]);
      }
    expect(wrong).toEqual([]);
  });

  test('is refused to a caller without its role in every spelling of its path', async () => {
    const wrong: unknown[] = [];
    for (const { method, path } of routes)
      for (const spelling of spellingsOf(path))
        for (const person of persons.filter(({ roles }) => !roles.includes('decide'))) {
          const { reached } = await asked(method, spelling, { ...sameOrigin(), ...person.headers });
          if (reached !== undefined && !isAllowed(person, reached))
            wrong.push([person.who, method, spelling]);
        }
    expect(wrong).toEqual([]);
  });

  test('is refused to a caller without its role in any combination of spellings', async () => {
    const request = fc.tuple(fc.nat(routes.length - 1), fc.nat(persons.length - 1)).chain(([route, person]) =>
      fc.record({
        method: fc.constant(routes[route]?.method ?? ''),
        spelling: anySpellingOf(routes[route]?.path ?? ''),
        person: fc.constant(persons[person] as Person),
      }),
    );
    await fc.assert(
      fc.asyncProperty(request, async ({ method, spelling, person }) => {
        const { reached } = await asked(method, spelling, { ...sameOrigin(), ...person.headers });
        expect(reached === undefined || isAllowed(person, reached)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  test('that changes something is refused to another site, in every spelling of its path', async () => {
    const olga = persons.find(({ who }) => who === 'olga')?.headers ?? {};
    const foreign = [{}, { origin: 'https://evil.example' }, { origin: 'null' }];
    const changing = routes.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
    expect(changing.length).toBeGreaterThan(10);
    const wrong: unknown[] = [];
    for (const { method, path } of changing)
      for (const headers of foreign)
        await Promise.all(
          spellingsOf(path).map(async (spelling) => {
            const { status, reached } = await asked(method, spelling, { ...olga, ...headers });
            if (reached !== undefined || status < 400) wrong.push([method, spelling, headers, status]);
          }),
        );
    expect(wrong).toEqual([]);
  });
});

test.each([{}, { access: undefined as never }, { access: 'everybody' as never }])(
  'a route that does not say who may call it is refused at the start: %j',
  (config) => {
    const app = fastify();
    guardConsole(app, {} as never, undefined);
    expect(() => app.get('/api/new', { config }, async () => ({}))).toThrow(
      /^The route GET \/api\/new does not say who may call it; expected config.access to be one of open, look/,
    );
  },
);

test('a handler of an open route that needs the person gets a refusal and no person', async () => {
  const app = fastify();
  guardConsole(app, {} as never, undefined);
  app.get('/api/new', { config: { access: 'open' } }, async (request) => request.user);
  const answer = await app.inject({ url: '/api/new', headers: { host: 'localhost' } });
  expect([answer.statusCode, answer.json().message]).toEqual([401, expect.stringContaining('Nobody')]);
});
