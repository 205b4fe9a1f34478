// Before each request: may this address be called by that name, does the page itself ask, and who is the person.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConsoleRefusal } from '../refusal.ts';
import type { SignIn } from './sign-in.ts';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
} as const;

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** Below /api/, what a person needs before the sign-in. */
const OPEN: ReadonlySet<string> = new Set(['/api/sign-in', '/api/sign-in/link', '/api/sign-out', '/api/me']);

/** @param url the address by which browsers call the console, where it is not this machine's own */
export function guardConsole(app: FastifyInstance, signIn: SignIn, url: string | undefined): void {
  const origin = url === undefined ? undefined : new URL(url).origin;
  const allowed = new Set([...LOOPBACK_NAMES, ...(url === undefined ? [] : [new URL(url).hostname])]);
  app.decorateRequest('user', undefined as never);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    // Another site could call this address by a name of its own (DNS rebinding).
    if (!allowed.has(host) && !request.url.startsWith('/health/'))
      throw new ConsoleRefusal(
        403,
        'WrongHost',
        `The console is not served as ${JSON.stringify(host)}. Call it as ${[...allowed].join(', ')}, or set CONSOLE_URL to its address.`,
      );
    if (!request.url.startsWith('/api/')) return;
    if (request.method !== 'GET' && !isOfThisPage(request, origin))
      throw new ConsoleRefusal(
        403,
        'ForeignOrigin',
        'Another site made this request. Open the console itself.',
      );
    const [path = ''] = request.url.split('?');
    if (OPEN.has(path)) return;
    const user = signIn.userOf(request);
    if (!user) throw new ConsoleRefusal(401, 'NotSignedIn', 'Nobody is signed in. Sign in again.');
    if (!user.roles.includes('look'))
      throw new ConsoleRefusal(403, 'RoleMissing', `${user.name} may not look at the console.`);
    request.user = user;
  });
}

/** A changing request must say that the console's own page makes it: also a program names the origin. */
function isOfThisPage({ headers }: FastifyRequest, expected: string | undefined): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin !== undefined && (origin === expected || origin === `http://${host}`);
}
