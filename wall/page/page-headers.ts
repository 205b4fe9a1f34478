// What keeps other sites out of the pages: a strict content security policy, and no request that another site's page, or
// another name for this address (DNS rebinding), makes the browser send.
import type { FastifyInstance, FastifyRequest } from 'fastify';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
} as const;

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** @param hosts the names, without a port, by which the pages may be called, beside those of this machine */
export function guardPages(app: FastifyInstance, hosts: readonly string[]): void {
  const allowed = new Set([...LOOPBACK_NAMES, ...hosts.map((each) => each.toLowerCase())]);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const host = hostOf(request);
    if (!allowed.has(host))
      return reply.code(403).send({
        message: `The pages are not served as ${JSON.stringify(host)}; call them by ${[...allowed].join(', ')}, or name it in WALL_HOSTS`,
      });
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isOfThisPage(request))
      return reply
        .code(403)
        .send({ message: 'Another site made this request; open the page of the wall itself' });
  });
}

const hostOf = ({ headers }: FastifyRequest): string =>
  (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');

/** A program that is not a browser sends neither header. */
function isOfThisPage({ headers }: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}
