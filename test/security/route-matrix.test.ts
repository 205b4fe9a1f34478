// @module-tag invariant
// The matrix of routes: every route of every server, and what those get who may not use it. The routes are those that the
// servers register: a new one needs its line in expected-routes.ts.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atSizes } from '../support/suite.ts';
import { columns, type MatrixServer } from './matrix.ts';
import { consoleServer } from './servers/console.ts';
import { codecServer, receiverServer } from './servers/plain.ts';
import { serviceServer } from './servers/service.ts';
import { wallServer } from './servers/walls.ts';

const PRODUCTION = 'The service, production';

const servers = {
  'The service, staging': serviceServer('staging'),
  [PRODUCTION]: serviceServer('production'),
  'The console': consoleServer,
  'The callback receiver': receiverServer,
  'The simulated walls': wallServer,
  'The codec server': codecServer,
};

/** By the names of the columns. */
type Happened = Readonly<Record<string, string>>;

describe.each(Object.entries(servers))('%s', (name, start) => {
  const stack = new AsyncDisposableStack();
  let server: MatrixServer;
  const made: FastifyInstance[] = [];
  const note = (message: unknown) =>
    void made.push((message as { readonly fastify: FastifyInstance }).fastify);
  beforeAll(async () => {
    subscribe('fastify.initialization', note);
    server = await start(stack);
    unsubscribe('fastify.initialization', note);
  });
  afterAll(() => stack.disposeAsync());

  test('has exactly the routes of the table', () => {
    expect(server.registered.toSorted()).toEqual(server.expected.toSorted());
  });

  test('keeps no connection for ever whose request does not come', () => {
    // Node's own limits hold for the others; Fastify takes one of them away.
    for (const { server: http } of made) {
      expect(http.headersTimeout).toBeGreaterThan(0);
      expect(http.requestTimeout).toBeGreaterThan(0);
    }
  });

  atSizes({ short: 4, long: 1 }, (oneOf) =>
    test('refuses each route to those who may not use it, and to nobody else', async () => {
      const expected = new Map<string, Happened>();
      const happened = new Map<string, Happened>();
      for (const { route, cells } of triedRows(name, server, oneOf)) {
        const tried: Record<string, string> = {};
        for (const column of columns) {
          const cell = cells[column];
          if (cell) tried[column] = await cell.happened(oneOf);
        }
        happened.set(route, tried);
        const wanted = Object.entries(cells).map(([column, cell]) => [column, cell.expected]);
        expected.set(route, Object.fromEntries(wanted));
      }
      expect(happened).toEqual(expected);
    }),
  );
});

/** Production has the code of staging: what it has not is tried, and some of the others. */
const triedRows = (name: string, { rows }: MatrixServer, oneOf: number) =>
  name === PRODUCTION && oneOf > 1
    ? rows.filter(({ access }, index) => access === 'nobody' || index % 6 === 0)
    : rows;
