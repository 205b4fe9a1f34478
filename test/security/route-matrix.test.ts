// @module-tag invariant
// The matrix of routes: every route of every server, and what those get who may not use it. The routes are those that the
// servers register: a new one needs its line in expected-routes.ts. docs/route-matrix.md shows what happened;
// npm run test:long -- test/security -u writes it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongSuite } from '../support/suite.ts';
import { columns, type MatrixServer } from './matrix.ts';
import { consoleServer } from './servers/console.ts';
import { codecServer, receiverServer } from './servers/plain.ts';
import { serviceServer } from './servers/service.ts';
import { wallServer } from './servers/walls.ts';

const STAGING = 'The service, staging';
const PRODUCTION = 'The service, production';

const servers = {
  [STAGING]: serviceServer('staging'),
  [PRODUCTION]: serviceServer('production'),
  'The console': consoleServer,
  'The callback receiver': receiverServer,
  'The simulated walls': wallServer,
  'The codec server': codecServer,
};

/** By the names of the columns. */
type Happened = Readonly<Record<string, string>>;
const tables = new Map<string, string>();

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

  test('refuses each route to those who may not use it, and to nobody else', async () => {
    const expected = new Map<string, Happened>();
    const happened = new Map<string, Happened>();
    for (const { route, cells } of triedRows(name, server)) {
      const tried: Record<string, string> = {};
      for (const column of columns) {
        const cell = cells[column];
        if (cell) tried[column] = await cell.happened();
      }
      happened.set(route, tried);
      const wanted = Object.entries(cells).map(([column, cell]) => [column, cell.expected]);
      expected.set(route, Object.fromEntries(wanted));
    }
    expect(happened).toEqual(expected);
    tables.set(name, tableOf(server, happened));
  });
});

test.runIf(isLongSuite)('docs/route-matrix.md shows what happened', async ({ skip }) => {
  if (tables.size < Object.keys(servers).length) return skip('some servers were not tried');
  const parts = [...tables].map(
    ([name, table]) => `## ${name}\n\n${name === PRODUCTION ? otherRows(table) : table}`,
  );
  await expect(`${HEAD}\n${parts.join('\n')}`).toMatchFileSnapshot('../../docs/route-matrix.md');
});

/** Production has the code of staging: in npm test, what it has not, and some of the others. */
const triedRows = (name: string, { rows }: MatrixServer) =>
  name === PRODUCTION && !isLongSuite
    ? rows.filter(({ access }, index) => access === 'nobody' || index % 6 === 0)
    : rows;

/** Without those that are the same in staging; the first two lines are the heading. */
function otherRows(table: string): string {
  const same = new Set(tables.get(STAGING)?.split('\n').slice(2));
  const lines = table.split('\n').filter((line, index) => index < 2 || line === '' || !same.has(line));
  return `Every route that is not listed is one of staging, and got the same answers.\n\n${lines.join('\n')}`;
}

const HEAD = `# The matrix of routes

Every route of each server, whom it is for, and what happened when others asked for it. A test
([test/security](../test/security/route-matrix.test.ts)) reads the routes from the running servers, tries each cell and
writes this page: \`npm test -- test/security -u\`.

| column | who asks |
|---|---|
| no credentials | a request without a token, session or signature |
| wrong credentials | a token, cookie, secret or signature that was not given by the server |
| wrong role | a person of the console with a lesser role; at the service, a wall for a tenant's route, a tenant for a wall's, and a tenant for what exists in staging only |
| wrong tenant | another tenant, with its own token, sends what the first tenant would send; at the simulated walls, the uid of a wall that is not there |
| another site | a page of another site, in the browser of somebody who may do it; at a wall's page, another name for its address too |
| another spelling | one of these callers, with other spellings of the path: percent-encoding, absolute form, capitals, \`//\`, \`/./\`, \`/../\`, \`;\`, NUL |

\`taken\`: the route's handler gets the request. A number is the HTTP status of the refusal. \`nothing\`: the other tenant
learns and changes nothing of the first; a uid of the first tenant is answered like one that nobody has. An empty cell:
there is no such caller, or nothing that the route would keep from it.
`;

function tableOf({ rows }: MatrixServer, happened: ReadonlyMap<string, Happened>): string {
  const used = columns.filter((column) => rows.some(({ cells }) => cells[column]));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = rows
    // HEAD is tried too; it is like GET.
    .filter(({ route }) => !route.startsWith('HEAD '))
    .map(({ route, access }) => {
      const tried = used.map((column) => happened.get(route)?.[column] ?? '');
      return line([`\`${route}\``, access, ...tried]);
    });
  return [line(['route', 'for', ...used]), `|${'---|'.repeat(used.length + 2)}`, ...lines, ''].join('\n');
}
