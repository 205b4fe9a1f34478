// Who signs in, and by what: a password, a link, or an OpenID provider.
import type { FastifyRequest } from 'fastify';
import { type SignInLink, takeLink } from '../../client/sign-in-links.ts';
import { allRights } from '../../shared/settings/console-rights.ts';
import { type ConsoleUser, consoleRoles } from '../access/user.ts';
import type { OpenId, OpenIdPerson } from './open-id.ts';
import { isPassword } from './password.ts';
import { isOfPassword, type Session, type Sessions } from './sessions.ts';
import type { UsersFile } from './users-file.ts';

interface SignInOptions {
  /** Whether browsers come by https; false unless given. */
  readonly isSecure?: boolean;
  readonly users: UsersFile | undefined;
  readonly sessions: Sessions;
  /** The person who gets the link of npm start. */
  readonly linkName: string;
  /** With the links that the command line makes; undefined: there are none. */
  readonly home?: string;
  readonly openId?: OpenId | undefined;
}

export class SignIn {
  readonly #options: SignInOptions;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  userOf(request: FastifyRequest): ConsoleUser | undefined {
    for (const { session } of this.#sessionsOf(request)) {
      const user = this.#userOfSession(session);
      if (user) return user;
    }
    return undefined;
  }

  #userOfSession(session: Session): ConsoleUser | undefined {
    const { users } = this.#options;
    const { name, roles, inboxes, provider } = session;
    if (roles) return { name, roles, inboxes };
    if (provider) {
      const rights = this.#options.openId?.rightsOf(provider);
      return rights && { name, ...allRights(rights) };
    }
    const user = users?.get(name);
    if (!user || !isOfPassword(session, user.hash)) return undefined;
    return { name: user.name, roles: user.roles, inboxes: user.inboxes };
  }

  /** The secret of the new session; undefined for a wrong name or password. Both take the same time. */
  async byPassword(name: string, password: string): Promise<string | undefined> {
    const { users, sessions } = this.#options;
    const user = users?.get(name);
    const isRight = await isPassword(password, user?.hash ?? users?.hashFor(name));
    if (!isRight || !user) return undefined;
    return sessions.begin(user.name, { passwordHash: user.hash });
  }

  /** The secret of the new session, and the link. */
  byLink(
    secret: string,
  ): { readonly session: string; readonly link: Pick<SignInLink, 'name' | 'by'> } | undefined {
    const { sessions, linkName, home } = this.#options;
    if (sessions.takeLink(secret)) {
      const session = sessions.begin(linkName, { roles: consoleRoles });
      return { session, link: { name: linkName, by: linkName } };
    }
    const link = home === undefined ? undefined : takeLink(home, secret);
    return link && { session: sessions.begin(link.name, link), link };
  }

  byProvider({ name, provider }: OpenIdPerson): string {
    return this.#options.sessions.begin(name, { provider });
  }

  /** Gives whether the person had come from the provider. */
  signOut(request: FastifyRequest): boolean {
    const all = this.#sessionsOf(request);
    for (const { secret } of all) this.#options.sessions.end(secret);
    return all.some(({ session }) => session.provider !== null);
  }

  get hasPasswords(): boolean {
    return this.#options.users !== undefined;
  }

  get openId(): OpenId | undefined {
    return this.#options.openId;
  }

  /** What is wrong with the file of users; null: nothing. */
  usersProblem(): string | null {
    try {
      return this.#options.users?.problem ?? null;
    } catch (error) {
      // It is gone: who came by another way learns that.
      return error instanceof Error ? error.message : String(error);
    }
  }

  get isSecure(): boolean {
    return this.#options.isSecure ?? false;
  }

  cookieNames({ headers }: Pick<FastifyRequest, 'headers'>): CookieNames {
    return cookieNamesAt(headers.host ?? '', this.isSecure);
  }

  /** Another site of the same domain, or a program on another port, may have set a cookie of the same name beside ours. */
  #sessionsOf(request: FastifyRequest): { readonly secret: string; readonly session: Session }[] {
    return cookiesOf(request, this.cookieNames(request).session).flatMap((secret) => {
      const session = this.#options.sessions.find(secret);
      return session ? [{ secret, session }] : [];
    });
  }
}

interface CookieNames {
  readonly session: string;
  /** While a sign-in by a provider lasts, and for what became of it. */
  readonly provider: string;
}

/**
 * Browsers keep the cookies of a host for all its ports, so the port is in the name: two consoles on one host do not sign each
 * other's people out. With `__Host-` no other host of the same domain, and no page by http, can set the cookie (RFC 6265bis,
 * section 4.1.3.2).
 * @param host as the browser calls it, like localhost:8088
 */
export function cookieNamesAt(host: string, isSecure: boolean): CookieNames {
  const prefix = isSecure ? '__Host-' : '';
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  const at = port === undefined ? '' : `-${port}`;
  return {
    session: `${prefix}lockerflow-console${at}`,
    provider: `${prefix}lockerflow-console-sign-in${at}`,
  };
}

/** All values that a request has for a cookie. */
export function cookiesOf({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string[] {
  return (headers.cookie ?? '').split(';').flatMap((each) => {
    const [name, value] = each.trim().split('=');
    return name === wanted && value !== undefined ? [value] : [];
  });
}
