// Requests without a route: 404, or 405 with the methods that the path has. They are refused before their body is read.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ConsoleRefusal } from './refusal.ts';

export type Refuse = (request: FastifyRequest, reply: FastifyReply) => Promise<never>;

/** Call it before the routes are added. @returns the handler of the catch-all routes */
export function collectRoutes(app: FastifyInstance): Refuse {
  const routes: { readonly parts: readonly string[]; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    if (!url.includes('*')) routes.push({ parts: url.split('/'), methods: [method].flat() });
  });
  return async ({ method, url }, reply) => {
    const path = url.split('?', 1)[0] ?? '';
    const methods = new Set(
      routes.filter((route) => isAt(path.split('/'), route)).flatMap((route) => route.methods),
    );
    if (methods.size === 0 || methods.has(method))
      throw new ConsoleRefusal(404, 'NotFound', `There is no ${method} ${path}; /docs lists what there is.`);
    const allowed = [...methods].join(', ');
    reply.header('allow', allowed);
    throw new ConsoleRefusal(405, 'MethodNotAllowed', `${path} takes ${allowed}, not ${method}.`);
  };
}

const isAt = (path: readonly string[], { parts }: { readonly parts: readonly string[] }): boolean =>
  path.length === parts.length && parts.every((part, at) => part.startsWith(':') || part === path[at]);
