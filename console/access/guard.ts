// Before each request: may this address be called by that name, does the page itself ask, and may the person use the route.
// Every route says who may call it; one that does not is refused at the start. Routes of the API also take access tokens of
// programs; then no cookie and no header of a proxy counts.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calledName, LOOPBACK_NAMES, PAGE_HEADERS } from '../../shared/http/own-page.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { type AccessTokens, bearerOf } from './access-tokens.ts';
import { type Caller, personCaller, type Right, requireRight } from './rights.ts';
import { type Access, type ConsoleUser, consoleRoles, requireRole } from './user.ts';

const ACCESSES: ReadonlySet<unknown> = new Set<Access>(['open', ...consoleRoles]);
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

// A password of 1,000 characters fits in any spelling. A stranger's slow bodies, each kept until its end, would fill the memory.
const OPEN_BODY_LIMIT_BYTES = 16_384;

const signedIn = Symbol('the person who makes the request');
const program = Symbol('the program that makes the request');

interface GuardOptions {
  /** The person who is signed in. */
  readonly userOf: (request: FastifyRequest) => ConsoleUser | undefined;
  /** Undefined: no program may call the API. */
  readonly tokens: AccessTokens | undefined;
  /** The address by which browsers call the console, where it is not this machine's own. */
  readonly url: string | undefined;
}

/**
 * Everything is decided by the route that Fastify has found, never by the text of the URL: a path has many spellings.
 */
export function guardConsole(app: FastifyInstance, { userOf, tokens, url }: GuardOptions): void {
  const origin = url === undefined ? undefined : new URL(url).origin;
  const allowed = new Set([...LOOPBACK_NAMES, ...(url === undefined ? [] : [new URL(url).hostname])]);
  app.decorateRequest(signedIn, undefined);
  app.decorateRequest('user', {
    getter(this: FastifyRequest) {
      return this[signedIn] ?? requireRole(undefined, 'look');
    },
  });
  app.decorateRequest(program, undefined);
  app.decorateRequest('caller', {
    getter(this: FastifyRequest) {
      return this[program] ?? personCaller(this.user);
    },
  });
  app.decorateRequest('callerNow', function (this: FastifyRequest) {
    const byToken = this[program];
    if (byToken === undefined) {
      this[signedIn] = requireRole(userOf(this), 'look');
      return personCaller(this[signedIn]);
    }
    if (Date.now() < byToken.validUntil) return byToken;
    throw new ConsoleRefusal(401, 'InvalidToken', 'The access token has expired.');
  });
  app.addHook('onRoute', (route) => {
    const { method, url: path, config } = route;
    if (config?.access === 'open') route.bodyLimit ??= OPEN_BODY_LIMIT_BYTES;
    if (!ACCESSES.has(config?.access))
      throw new TypeError(
        `The route ${method} ${path} does not say who may call it; expected config.access to be one of ${[...ACCESSES].join(', ')}`,
      );
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(PAGE_HEADERS);
    // What is not found has no route: only a person who is signed in learns that.
    const { access = 'look', anyHost, right } = request.routeOptions.config;
    // A browser sends no token by itself, so neither the name of the host nor the origin matters.
    if (isByToken(request) && (right !== undefined || request.is404)) {
      request[program] = await programFor(request, tokens, right);
      return;
    }
    const host = calledName(request.headers);
    if (!allowed.has(host) && !anyHost)
      throw new ConsoleRefusal(
        403,
        'WrongHost',
        `The console is not served as ${JSON.stringify(host)}. Call it as ${[...allowed].join(', ')}, or set CONSOLE_URL to its address.`,
      );
    if ((!READS.has(request.method) || right !== undefined) && !isOfThisPage(request, origin))
      throw new ConsoleRefusal(
        403,
        'ForeignOrigin',
        'Another site made this request. Open the console itself.',
      );
    if (access !== 'open') request[signedIn] = personFor(userOf(request), access, right);
  });
}

/** Undefined for a route that is open to everybody. */
export const callerIdOf = (request: FastifyRequest): string | undefined =>
  (request[program] ?? (request[signedIn] && personCaller(request[signedIn])))?.id;

/** Some may do a thing without its role, in their inboxes: the route itself asks in which. Throws ConsoleRefusal. */
function personFor(
  user: ConsoleUser | undefined,
  role: Exclude<Access, 'open'>,
  right: Right | undefined,
): ConsoleUser {
  if (user && right !== undefined && personCaller(user).may(right)) return user;
  return requireRole(user, role);
}

const isByToken = ({ headers }: FastifyRequest): boolean => /^bearer\b/i.test(headers.authorization ?? '');

/** @param right absent: there is no such route, which only who is known learns */
async function programFor(
  request: FastifyRequest,
  tokens: AccessTokens | undefined,
  right: Right | undefined,
): Promise<Caller> {
  const caller = await callerByToken(request, tokens);
  if (right !== undefined) requireRight(caller, right);
  return caller;
}

async function callerByToken({ headers }: FastifyRequest, tokens: AccessTokens | undefined): Promise<Caller> {
  const token = bearerOf(headers.authorization);
  if (tokens === undefined)
    throw new ConsoleRefusal(
      401,
      'InvalidToken',
      'This console takes no access tokens: API_ISSUER is not set.',
    );
  if (token === undefined)
    throw new ConsoleRefusal(
      401,
      'InvalidToken',
      'The header Authorization has no access token; expected Authorization: Bearer <ACCESS_TOKEN>.',
    );
  return await tokens.callerOf(token);
}

/** A changing request must say that the console's own page makes it: also a program with a cookie names the origin. */
function isOfThisPage({ headers, method }: FastifyRequest, expected: string | undefined): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwnOrigin = origin === expected || origin === `http://${host}`;
  // A browser does not name the origin where the page itself reads. `none`: a person has typed the address.
  if (READS.has(method))
    return (
      (site === undefined || site === 'same-origin' || site === 'none') &&
      (origin === undefined || isOwnOrigin)
    );
  if (site !== undefined && site !== 'same-origin') return false;
  return origin !== undefined && isOwnOrigin;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of the console without it does not register. */
    access?: Access;
    /** Whether it may be called by any name of this machine, as health checks are. */
    anyHost?: true;
    /** A route of the API: programs with a scope for this right may call it too. */
    right?: Right;
  }
  interface FastifyRequest {
    /** The person who makes the request. On an open route it throws ConsoleRefusal (401). */
    readonly user: ConsoleUser;
    /** Who makes the request, a person or a program. Throws ConsoleRefusal (401) where `user` does and there is no program. */
    readonly caller: Caller;
    /** The same, looked at again: a session, its roles and a token may end while a stream lasts. Throws ConsoleRefusal. */
    callerNow(): Caller;
    [signedIn]: ConsoleUser | undefined;
    [program]: Caller | undefined;
  }
}
