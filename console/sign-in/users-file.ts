// The file of the console's users, one line each: name:roles:hash. A user without a hash signs in by the trusted proxy
// alone. It is read again when it has changed, so that a person who is taken out is out at once.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isPasswordHash } from './password.ts';
import { type ConsoleRole, type ConsoleUser, consoleRoles } from './user.ts';

export interface FileUser extends ConsoleUser {
  readonly hash: string | undefined;
}

// Only letters that are safe in a header, a log line and this file.
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,99}$/u;

export const isUserName = (name: string): boolean => NAME.test(name);

export class UsersFile {
  readonly #path: string;
  #state = '';
  #users: ReadonlyMap<string, FileUser> = new Map();

  /** Throws an Error that names every wrong line. */
  constructor(path: string) {
    this.#path = path;
    this.#read();
  }

  get(name: string): FileUser | undefined {
    this.#read();
    return this.#users.get(name);
  }

  /**
   * Some user's hash, always the same one for a name. A name without a hash is compared with it: it then takes as long as a
   * user's name, also where the hashes of the file differ in their cost.
   */
  hashFor(name: string): string | undefined {
    const hashes = [...this.#users.values()].flatMap(({ hash }) => hash ?? []);
    return hashes[createHash('sha256').update(name).digest().readUInt32BE() % hashes.length];
  }

  #read(): void {
    const { mtimeMs, size, ino } = this.#tried((path) => statSync(path));
    const state = `${mtimeMs} ${size} ${ino}`;
    if (state === this.#state) return;
    const text = this.#tried((path) => readFileSync(path, 'utf8'));
    this.#users = usersIn(text, this.#path);
    this.#state = state;
  }

  #tried<Result>(read: (path: string) => Result): Result {
    try {
      return read(this.#path);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(
        `The file of the console's users cannot be read (${reason}); name one in CONSOLE_USERS that the console may read`,
        { cause },
      );
    }
  }
}

/** Throws an Error that names every wrong line, and never shows a hash. */
export function usersIn(text: string, path: string): ReadonlyMap<string, FileUser> {
  const users = new Map<string, FileUser>();
  const wrong: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const user = userIn(line);
    if (typeof user === 'string') wrong.push(`line ${index + 1}: ${user}`);
    else if (users.has(user.name)) wrong.push(`line ${index + 1}: ${user.name} has a line above already`);
    else users.set(user.name, user);
  }
  if (wrong.length === 0) return users;
  throw new Error(
    `${path} is wrong: ${wrong.join('; ')}. Expected one line for each user, name:roles:hash; npm run -s console -- user <name> <roles> makes one`,
  );
}

/** The user, or what is wrong. */
function userIn(line: string): FileUser | string {
  const [name = '', roleNames = '', hash = '', ...rest] = line.split(':');
  if (rest.length > 0) return 'it has more than two colons';
  if (!isUserName(name))
    return 'the name must begin with a letter or a digit, and hold letters, digits, spaces and . _ @ + - (100 at most)';
  const roles = rolesIn(roleNames);
  if (typeof roles === 'string') return roles;
  if (hash !== '' && !isPasswordHash(hash)) return 'the hash is not one that the command user makes';
  return { name, roles, hash: hash === '' ? undefined : hash };
}

/** The roles, or what is wrong. Who decides also looks. */
export function rolesIn(text: string): readonly ConsoleRole[] | string {
  const names = text.split(',').map((each) => each.trim());
  const unknown = names.filter((each) => !consoleRoles.some((role) => role === each));
  if (unknown.length > 0)
    return `${JSON.stringify(unknown[0])} is not a role; expected one or more of ${consoleRoles.join(', ')}, with commas`;
  return consoleRoles.filter((role) => role === 'look' || names.includes(role));
}
