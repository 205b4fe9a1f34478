// Every route that a Fastify server registers, read from the server itself: a table of routes that a test has beside it
// would not know of a new one.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';

export interface RegisteredRoute {
  /** * for several. */
  readonly method: string;
  /** With the names of its parameters, like /api/process/:key. */
  readonly url: string;
  /** Change it before the server is ready: the server uses what it finds then. */
  readonly options: RouteOptions;
}

/** The HEAD routes, which Fastify adds to those of GET, are among them. */
export async function registeredRoutes<Server>(
  start: () => Promise<Server>,
  onRoute: (route: RegisteredRoute) => void = () => undefined,
): Promise<{ readonly server: Server; readonly routes: readonly RegisteredRoute[] }> {
  const routes: RegisteredRoute[] = [];
  const onServer = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', (options) => {
      const { method, url } = options;
      const route = { method: typeof method === 'string' ? method : '*', url, options };
      routes.push(route);
      onRoute(route);
    });
  };
  subscribe('fastify.initialization', onServer);
  try {
    return { server: await start(), routes };
  } finally {
    unsubscribe('fastify.initialization', onServer);
  }
}

/** As the tables of expectations name it. */
export const nameOf = ({ method, url }: Pick<RegisteredRoute, 'method' | 'url'>): string =>
  `${method} ${url}`;
