// @module-tag invariant
// Who reaches which route of the console: those with its role, and nobody else by any spelling of its path. Each handler that
// needs a role is replaced by one that only names its route. (What the others get: test/security.)
import fc from 'fast-check';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { guardConsole } from '../../../console/access/guard.ts';
import { cookieNamesAt } from '../../../console/sign-in/sign-in.ts';
import { consoleRoutes } from '../../security/expected-routes.ts';
import { accessIn, ask, onlyTellReached, pathOf } from '../../security/matrix.ts';
import { nameOf, registeredRoutes } from '../../security/registered-routes.ts';
import { anySpellingOf } from '../../security/spellings.ts';
import { atSizes } from '../../support/suite.ts';
import { newTestConsole, people, type TestConsole, withoutService } from '../console-world.ts';

type Access = (typeof consoleRoutes)[string];

interface Route {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access;
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
  vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1');
  const started = await registeredRoutes(
    () => newTestConsole(withoutService),
    (route) => {
      if (accessIn(consoleRoutes, nameOf(route)) !== 'open') onlyTellReached(route);
    },
  );
  tested = started.server;
  routes = started.routes.flatMap((registered) => {
    const { method, url } = registered;
    const route = nameOf(registered);
    const access = accessIn(consoleRoutes, route);
    const path = pathOf(url, { key: 'order-1', number: '1', flow: 'Issue' });
    return access === undefined || access === 'open' ? [] : [{ route, method, path, access }];
  });
  const signedIn = Object.entries(people).map(async ([who, roles]) => ({
    who,
    roles: roles.split(','),
    headers: { cookie: await tested.cookieOf(who as keyof typeof people) },
  }));
  const cookieName = cookieNamesAt(new URL(tested.address).host, false).session;
  persons = [
    { who: 'nobody', roles: [], headers: {} },
    { who: 'a guessed cookie', roles: [], headers: { cookie: `${cookieName}=guessed` } },
    ...(await Promise.all(signedIn)),
  ];
});
afterAll(() => tested[Symbol.asyncDispose]());

const asked = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
  ask(tested.address, { method, path, headers, body: method === 'POST' ? '{}' : '' });

describe('every route', () => {
  test('is reached by exactly those who have its role; others get 401 without a session, and 403 with one', async () => {
    expect(routes.length).toBeGreaterThan(40);
    const happened: unknown[] = [];
    const expected: unknown[] = [];
    for (const { route, method, path, access } of routes)
      for (const { who, roles, headers } of persons) {
        const answer = await asked(method, path, { origin: tested.address, ...headers });
        const refused = { status: roles.length === 0 ? 401 : 403, reached: undefined };
        happened.push([who, route, answer]);
        expected.push([who, route, roles.includes(access) ? { status: 200, reached: route } : refused]);
      }
    expect(happened).toEqual(expected);
  });

  atSizes({ short: 100, long: 1_000 }, (numRuns, seed) =>
    test('is refused in any combination of spellings, without its role or from another site', async () => {
      const request = fc
        .record({
          route: fc.constantFrom(...routes),
          person: fc.constantFrom(...persons),
          origin: fc.constantFrom(tested.address, 'https://evil.example', 'null'),
        })
        .chain((chosen) => fc.record({ spelling: anySpellingOf(chosen.route.path), ...constants(chosen) }));
      await fc.assert(
        fc.asyncProperty(request, async ({ route: { method }, spelling, person, origin }) => {
          const { reached } = await asked(method, spelling, { origin, ...person.headers });
          if (reached === undefined) return;
          expect(person.roles).toContain(accessIn(consoleRoutes, reached));
          if (method === 'POST') expect(origin).toBe(tested.address);
        }),
        { seed, numRuns },
      );
    }),
  );
});

const constants = <Chosen extends object>(chosen: Chosen) =>
  Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, fc.constant(value)])) as {
    [Name in keyof Chosen]: fc.Arbitrary<Chosen[Name]>;
  };

test.each(['POST /api/none', 'POST /none', 'DELETE /api/walls', 'PUT /'])(
  '%s, where there is nothing, is refused to a caller without a session like a route',
  async (request) => {
    const [method = '', path = ''] = request.split(' ');
    expect((await asked(method, path, { origin: tested.address })).status).toBe(401);
    expect((await asked(method, path, { origin: 'https://evil.example' })).status).toBe(403);
  },
);

test.each([{}, { access: undefined as never }, { access: 'everybody' as never }])(
  'a route that does not say who may call it is refused at the start: %j',
  (config) => {
    const app = fastify();
    guardConsole(app, { userOf: () => undefined, tokens: undefined, url: undefined });
    expect(() => app.get('/api/new', { config }, async () => ({}))).toThrow(
      /^The route GET \/api\/new does not say who may call it; expected config.access to be one of open, look/,
    );
  },
);

test('a handler of an open route that needs the person gets a refusal and no person', async () => {
  const app = fastify();
  guardConsole(app, { userOf: () => undefined, tokens: undefined, url: undefined });
  app.get('/api/new', { config: { access: 'open' } }, async (request) => request.user);
  const answer = await app.inject({ url: '/api/new', headers: { host: 'localhost' } });
  expect([answer.statusCode, answer.json().message]).toEqual([401, expect.stringContaining('Nobody')]);
});

test('of a stranger no long body is read, not even to the end of it', async () => {
  const text = JSON.stringify({ name: 'anna', password: 'x'.repeat(900_000) });
  const { address } = tested;
  const answer = await fetch(`${address}/api/sign-in`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', origin: address },
  });
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain('16,384');
});
