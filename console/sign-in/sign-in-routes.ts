// Signing in and out, and who one is.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ConsoleRefusal } from '../refusal.ts';
import { PasswordTries } from './password-tries.ts';
import { COOKIE, type SignIn } from './sign-in.ts';
import type { MeView } from './sign-in-view.ts';

import { accessOf } from './user.ts';

const password = z.object({ name: z.string().min(1).max(100), password: z.string().min(1).max(1_000) });
const link = z.object({ secret: z.string().min(1).max(200) });

export interface SignInRoutesOptions {
  /** Whether browsers come by https: then the cookie never goes by http. */
  readonly isSecure: boolean;
  readonly sessionMs: number;
  readonly temporalUiUrl: string;
}

export const signInRoutes =
  (signIn: SignIn, options: SignInRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    const tries = new PasswordTries();
    const me = (request: FastifyRequest): MeView => ({
      user: signIn.userOf(request) ?? null,
      hasPasswords: signIn.hasPasswords,
      temporalUiUrl: options.temporalUiUrl,
    });
    const begun = (reply: FastifyReply, secret: string) =>
      reply.header('set-cookie', cookie(secret, options.sessionMs / 1_000, options)).send({});

    app.get('/api/me', accessOf('open'), async (request) => me(request));

    app.post('/api/sign-in', accessOf('open'), async (request, reply) => {
      const given = password.safeParse(request.body);
      if (!given.success) throw new ConsoleRefusal(400, 'WrongRequest', 'Give your name and your password.');
      const { name } = given.data;
      const secret = await tries.take(name, () => signIn.byPassword(name, given.data.password));
      if (secret === undefined)
        throw new ConsoleRefusal(401, 'WrongPassword', 'The name or the password is wrong. Try again.');
      return begun(reply, secret);
    });

    app.post('/api/sign-in/link', accessOf('open'), async (request, reply) => {
      const given = link.safeParse(request.body);
      const secret = given.success ? signIn.byLink(given.data.secret) : undefined;
      if (secret === undefined)
        throw new ConsoleRefusal(
          401,
          'LinkUsed',
          'This link signs in once, and it was used already or is of an earlier start. Start lockerflow again for a new one.',
        );
      return begun(reply, secret);
    });

    app.post('/api/sign-out', accessOf('open'), async (request, reply) => {
      signIn.signOut(request);
      return reply.header('set-cookie', cookie('', 0, options)).send({});
    });
  };

/** No script of the page reads it, and no other site's request carries it. */
const cookie = (secret: string, seconds: number, { isSecure }: SignInRoutesOptions): string =>
  [
    `${COOKIE}=${secret}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${seconds}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
