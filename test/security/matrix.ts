// The matrix of routes: for each route of a server, what happens to those who may not use it, beside what is expected.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { RouteHandlerMethod } from 'fastify';
import { nameOf, type RegisteredRoute } from './registered-routes.ts';
import { spellingsOf } from './spellings.ts';

export const columns = [
  'no credentials',
  'wrong credentials',
  'wrong role',
  'token of another tenant',
  'token of another inbox',
  'another wall',
  'another site',
  'another spelling',
] as const;
export type Column = (typeof columns)[number];

export interface Cell {
  readonly expected: string;
  /** Tries it. */
  /** @param oneOf tries one of so many spellings of its path */
  happened(oneOf: number): Promise<string>;
}

export interface Row {
  /** Like GET /api/process/:key. */
  readonly route: string;
  readonly access: string;
  readonly cells: Partial<Record<Column, Cell>>;
}

export interface MatrixServer {
  /** The routes that it has, by the names of the table: a HEAD has no line of its own. */
  readonly registered: readonly string[];
  /** Those of the table. */
  readonly expected: readonly string[];
  readonly rows: readonly Row[];
}

export interface MatrixRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  /** The route whose handler was reached; undefined where the server does not say. */
  readonly reached: string | undefined;
}

const REACHED = 'x-reached';

/** Each answer then names the route whose handler it comes from. */
export const tellReached = (route: RegisteredRoute): void => tellReachedBy(route, route.options.handler);

/** The same, with nothing behind it: what is tested is the way to the handler. */
export function onlyTellReached(route: RegisteredRoute): void {
  // What stands for all that is not there refuses before its handler. Any other hook is on the way.
  if (route.url.endsWith('/*')) delete route.options.onRequest;
  tellReachedBy(route, async () => ({}));
}

function tellReachedBy({ method, url, options }: RegisteredRoute, handler: RouteHandlerMethod): void {
  options.handler = function reached(request, reply) {
    const name = nameOf({ method: request.method === 'HEAD' ? 'HEAD' : method, url });
    return handler.call(this, request, reply.header(REACHED, name));
  };
}

/** Writes the request to a socket as it is. Does not wait for the body of the answer. */
export async function ask(
  address: string,
  { method, path, headers = {}, body = '' }: MatrixRequest,
): Promise<Answer> {
  const { hostname, port, host } = new URL(address);
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  let head = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    head += chunk;
    if (head.includes('\r\n\r\n')) break;
  }
  socket.destroy();
  return {
    status: Number(head.split(' ')[1]),
    reached: /^x-reached: (.*?)\r?$/im.exec(head.split('\r\n\r\n')[0] ?? '')?.[1],
  };
}

export const TAKEN = 'taken';

/** What a request to a route is expected to get: a status, or that its handler takes it. */
export function cell(
  address: string,
  route: string,
  expected: number | typeof TAKEN,
  asked: MatrixRequest,
): Cell {
  return {
    expected: String(expected),
    async happened() {
      const { status, reached } = await ask(address, asked);
      if (reached === undefined) return String(status);
      return reached === route ? TAKEN : `${status} by ${reached}`;
    },
  };
}

/** The same by the status alone: of a handler that judges the caller itself, or of a server that names no routes. */
export const answered = (address: string, expected: number, asked: MatrixRequest): Cell => ({
  expected: String(expected),
  happened: async () => String((await ask(address, asked)).status),
});

/** Somebody who may not use the route, and asks for it. */
export interface Refused {
  readonly asked: MatrixRequest;
  /** Whether it is no harm that this caller gets that answer: it is of a route that the caller may use. */
  isAllowed(answer: Answer): boolean;
}

/** Every spelling of the path, asked by those who may not use it. */
export function spelled(address: string, callers: readonly Refused[]): Cell {
  return {
    expected: NEVER,
    async happened(oneOf) {
      const taken: string[] = [];
      const each = async ({ asked, isAllowed }: Refused, path: string) => {
        const answer = await ask(address, { ...asked, path });
        if (!isAllowed(answer)) taken.push(`${path}: ${answer.status} ${answer.reached ?? ''}`.trim());
      };
      await Promise.all(
        callers.flatMap((caller) => triedOf(caller.asked.path, oneOf).map((path) => each(caller, path))),
      );
      return taken.length === 0 ? NEVER : taken.sort().join(', ');
    },
  };
}

/** One of so many, others for each route. */
const triedOf = (path: string, oneOf: number) =>
  spellingsOf(path).filter((_, index) => index % oneOf === path.length % oneOf);

const NEVER = 'never taken';

/** Values for the parameters of a path. */
export function pathOf(url: string, values: Readonly<Record<string, string>>): string {
  return url.replaceAll(/:(\w+)|\*/g, (name, key: string) => values[key ?? name] ?? 'x');
}

export const namesOf = (routes: readonly RegisteredRoute[]): string[] => [
  ...new Set(routes.filter(({ method }) => method !== 'HEAD').map(nameOf)),
];

export const accessIn = <Access>(
  table: Readonly<Record<string, Access>>,
  route: string,
): Access | undefined => table[route.replace(/^HEAD /, 'GET ')];

/** Where nothing listens. */
export const NOWHERE = 'http://127.0.0.1:1';
export const ANOTHER_SITE = { origin: 'https://evil.example' };

/** Its spellings are tried with GET alone: a HEAD has the same way to its handler. */
export const rowsOfRoutes = (
  routes: readonly RegisteredRoute[],
  rowOf: (route: RegisteredRoute) => Row,
): Row[] =>
  routes.map((route) => {
    const row = rowOf(route);
    if (route.method !== 'HEAD') return row;
    const { 'another spelling': _, ...cells } = row.cells;
    return { ...row, cells };
  });
