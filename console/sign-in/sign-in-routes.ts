// Signing in and out, and who one is.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { OutreachSettings } from '../../contract/flows/outreach.ts';
import { t } from '../../shared/texts/text.ts';
import { accessOf } from '../access/user.ts';
import { ConsoleRefusal, consoleRefusalOf } from '../refusal.ts';
import { BEGUN_SECONDS, CALLBACK_PATH, type OpenId } from './open-id.ts';
import { PasswordTries } from './password-tries.ts';
import { cookiesOf, type SignIn } from './sign-in.ts';
import type { MeView, SignedOutView } from './sign-in-view.ts';

const password = z.object({ name: z.string().min(1).max(100), password: z.string().min(1).max(1_000) });
const link = z.object({ secret: z.string().min(1).max(200) });

interface SignInRoutesOptions {
  /** The console's address where no proxy stands before it: then the provider sends browsers there, whatever they called. */
  readonly ownUrl: string | undefined;
  readonly sessionMs: number;
  readonly outreach: OutreachSettings;
}

export const signInRoutes =
  (signIn: SignIn, options: SignInRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    const tries = new PasswordTries();
    const me = (request: FastifyRequest): MeView => {
      const user = signIn.userOf(request) ?? null;
      const { hasPasswords, openId } = signIn;
      const begun = user ? [] : cookiesOf(request, signIn.cookieNames(request).provider);
      const [refusal] = begun.flatMap((secret) => openId?.refusalFor(secret) ?? []);
      return {
        user,
        outreach: {
          message: options.outreach.message !== null,
          sendMechanic: options.outreach.sendMechanic !== null,
        },
        hasPasswords,
        provider: openId?.name ?? null,
        refused: refusal ? { error: refusal.error, message: refusal.message } : null,
        problem: user?.roles.includes('administer') ? signIn.usersProblem() : null,
      };
    };
    const sessionCookie = (request: FastifyRequest, secret: string, seconds = options.sessionMs / 1_000) =>
      cookie(signIn.cookieNames(request).session, secret, {
        seconds,
        sameSite: 'Strict',
        isSecure: signIn.isSecure,
      });
    const begun = (request: FastifyRequest, reply: FastifyReply, secret: string) =>
      reply.header('set-cookie', sessionCookie(request, secret)).send({});

    app.get('/api/me', accessOf('open'), async (request) => me(request));

    app.post('/api/sign-in', accessOf('open'), async (request, reply) => {
      const given = password.safeParse(request.body);
      if (!given.success) throw new ConsoleRefusal(400, 'WrongRequest', t`Give your name and your password.`);
      const { name } = given.data;
      const secret = await tries.take(name, () => signIn.byPassword(name, given.data.password));
      if (secret === undefined)
        throw new ConsoleRefusal(401, 'WrongPassword', t`The name or the password is wrong. Try again.`);
      return begun(request, reply, secret);
    });

    app.post('/api/sign-in/link', accessOf('open'), async (request, reply) => {
      const given = link.safeParse(request.body);
      const taken = given.success ? signIn.byLink(given.data.secret) : undefined;
      if (taken === undefined)
        throw new ConsoleRefusal(
          401,
          'LinkUsed',
          t`This link signs in once, and it was used already, is too old, or is of an earlier start. For a new one: npx lockerflow console-link.`,
        );
      request.log.info({ name: taken.link.name, by: taken.link.by }, 'a person has signed in by a link');
      return begun(request, reply, taken.session);
    });

    app.post('/api/sign-out', accessOf('open'), async (request, reply) => {
      const isOfProvider = signIn.signOut(request);
      const answer: SignedOutView = {
        to: (isOfProvider && (await signIn.openId?.signOutUrl())) || null,
      };
      return reply.header('set-cookie', sessionCookie(request, '', 0)).send(answer);
    });

    addProviderRoutes(app, { signIn, options, sessionCookie });
  };

interface ProviderRoutes {
  readonly signIn: SignIn;
  readonly options: SignInRoutesOptions;
  readonly sessionCookie: (request: FastifyRequest, secret: string) => string;
}

const PROVIDER_PATH = '/api/sign-in/provider';
const wanted = z.object({ to: z.string().max(10_000).optional() });

/** The browser itself comes here, from page to page: what goes wrong is shown by the page to which it is sent. */
function addProviderRoutes(app: FastifyInstance, { signIn, options, sessionCookie }: ProviderRoutes): void {
  const required = (): OpenId => {
    if (signIn.openId) return signIn.openId;
    throw new ConsoleRefusal(
      404,
      'NoProvider',
      t`Nobody signs in by a provider: CONSOLE_OIDC_ISSUER is not set.`,
    );
  };
  const kept = (request: FastifyRequest, secret: string, seconds: number) =>
    cookie(signIn.cookieNames(request).provider, secret, {
      seconds,
      sameSite: 'Lax',
      isSecure: signIn.isSecure,
    });
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const refusal = consoleRefusalOf(error);
    const { openId } = signIn;
    if (!refusal || !openId) throw error;
    // The words alone: an error of the library may hold tokens.
    const reason = refusal.cause instanceof Error ? refusal.cause.message : undefined;
    request.log.warn({ code: refusal.error, why: refusal.message, reason }, 'a sign-in was refused');
    const secret = randomBytes(32).toString('base64url');
    openId.keepRefusal(secret, refusal);
    return reply.header('set-cookie', kept(request, secret, BEGUN_SECONDS)).redirect('/', 303);
  };

  app.get(PROVIDER_PATH, accessOf('open'), async (request, reply) => {
    const { ownUrl } = options;
    // A browser that calls this machine by another of its names would bring no cookie back.
    if (signIn.openId && ownUrl !== undefined && request.headers.host !== new URL(ownUrl).host)
      return reply.redirect(`${new URL(ownUrl).origin}${request.url}`, 303);
    try {
      const { to } = wanted.parse(request.query);
      const { url, secret } = await required().begin(to);
      return reply.header('set-cookie', kept(request, secret, BEGUN_SECONDS)).redirect(url, 303);
    } catch (error) {
      return refuse(request, reply, error);
    }
  });

  app.get(CALLBACK_PATH, accessOf('open'), async (request, reply) => {
    try {
      const query = request.url.split('?').slice(1).join('?');
      const { to, ...person } = await required().end(
        query,
        cookiesOf(request, signIn.cookieNames(request).provider),
      );
      const secret = signIn.byProvider(person);
      request.log.info(
        { name: person.name, groups: person.provider.groups },
        'a person has signed in by the provider',
      );
      return reply
        .header('set-cookie', [sessionCookie(request, secret), kept(request, '', 0)])
        .redirect(to, 303);
    } catch (error) {
      return refuse(request, reply, error);
    }
  });
}

interface CookieAttributes {
  readonly seconds: number;
  readonly sameSite: 'Strict' | 'Lax';
  /** Then it never goes by http. */
  readonly isSecure: boolean;
}

/**
 * No script of the page reads it. No other site's request carries the one of a session; the other must come with the browser
 * when the provider sends it back.
 */
const cookie = (name: string, value: string, { seconds, sameSite, isSecure }: CookieAttributes): string =>
  [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    `Max-Age=${seconds}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
