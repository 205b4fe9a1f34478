// Who signs in, and by what: a password, the link of npm start, or the header of a proxy that is trusted.
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isPassword } from './password.ts';
import { isOfPassword, type Sessions } from './sessions.ts';
import { type ConsoleUser, consoleRoles } from './user.ts';
import type { UsersFile } from './users-file.ts';

export const COOKIE = 'lockerflow-console';

export interface SignInOptions {
  readonly users: UsersFile | undefined;
  readonly sessions: Sessions;
  /** The person who gets the link of npm start. */
  readonly linkName: string;
  readonly proxy: { readonly header: string; readonly addresses: BlockList } | undefined;
}

export class SignIn {
  readonly #options: SignInOptions;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** The user of a session, or of the proxy's header. */
  userOf(request: FastifyRequest): ConsoleUser | undefined {
    const { users, sessions } = this.#options;
    const proxied = this.#nameByProxy(request);
    if (proxied !== undefined) return withoutHash(users?.get(proxied));
    const secret = secretOf(request);
    const session = secret === undefined ? undefined : sessions.find(secret);
    if (!session) return undefined;
    if (session.roles) return { name: session.name, roles: session.roles };
    const user = users?.get(session.name);
    return isOfPassword(session, user?.hash) ? withoutHash(user) : undefined;
  }

  /** The secret of the new session; undefined for a wrong name or password. Both take the same time. */
  async byPassword(name: string, password: string): Promise<string | undefined> {
    const { users, sessions } = this.#options;
    const user = users?.get(name);
    const isRight = await isPassword(password, user?.hash ?? users?.hashFor(name));
    if (!isRight || user?.hash === undefined) return undefined;
    return sessions.begin(user.name, { passwordHash: user.hash });
  }

  byLink(secret: string): string | undefined {
    const { sessions, linkName } = this.#options;
    return sessions.takeLink(secret) ? sessions.begin(linkName, { roles: consoleRoles }) : undefined;
  }

  signOut(request: FastifyRequest): void {
    const secret = secretOf(request);
    if (secret !== undefined) this.#options.sessions.end(secret);
  }

  get hasPasswords(): boolean {
    return this.#options.users !== undefined;
  }

  #nameByProxy({ socket, headers }: FastifyRequest): string | undefined {
    const { proxy } = this.#options;
    if (!proxy) return undefined;
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    if (!proxy.addresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return undefined;
    const name = headers[proxy.header];
    return typeof name === 'string' && name !== '' ? name : undefined;
  }
}

const withoutHash = (user: ConsoleUser | undefined): ConsoleUser | undefined =>
  user && { name: user.name, roles: user.roles };

function secretOf({ headers }: FastifyRequest): string | undefined {
  for (const each of (headers.cookie ?? '').split(';')) {
    const [name, value] = each.trim().split('=');
    if (name === COOKIE) return value;
  }
  return undefined;
}

/** Throws an Error for a text that is neither an address nor a network. */
export function addressesIn(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
