// The file of the console's users, one line each: name:roles:hash. It is read again when it has changed, so that a person
// who is taken out is out at once. A change that breaks the file locks nobody out: the former users stay until it is
// mended. A file that is gone lets nobody in.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import {
  type ConsoleRights,
  isUserName,
  rightsIn,
  USER_NAME_RULE,
} from '../../shared/settings/console-rights.ts';
import { isPasswordHash } from './password.ts';

interface FileUser extends ConsoleRights {
  readonly name: string;
  readonly hash: string;
}

export class UsersFile {
  readonly #path: string;
  readonly #broken: (why: string | null) => void;
  #state = '';
  #users: ReadonlyMap<string, FileUser> = new Map();
  #problem: string | null = null;

  /**
   * Throws an Error that names every wrong line.
   * @param broken called once for each change that cannot be used, and with null when the file is right again
   */
  constructor(path: string, broken: (why: string | null) => void = () => undefined) {
    this.#path = path;
    this.#broken = broken;
    this.#read();
    if (this.#problem !== null) throw new Error(this.#problem);
  }

  get(name: string): FileUser | undefined {
    this.#read();
    return this.#users.get(name);
  }

  /** What is wrong with the file as it is now; null: nothing. */
  get problem(): string | null {
    this.#read();
    return this.#problem;
  }

  /**
   * Some user's hash, always the same one for a name. A name that is none of them is compared with it: it then takes as long as
   * a user's name, also where the hashes of the file differ in their cost.
   */
  hashFor(name: string): string | undefined {
    const hashes = [...this.#users.values()].map(({ hash }) => hash);
    return hashes[createHash('sha256').update(name).digest().readUInt32BE() % hashes.length];
  }

  #read(): void {
    const state = stateOf(this.#path);
    if (state === this.#state) return;
    this.#state = state;
    const before = this.#problem;
    try {
      this.#users = usersIn(readFileSync(this.#path, 'utf8'), this.#path);
      this.#problem = null;
    } catch (error) {
      if (!(error instanceof WrongLines)) {
        this.#state = '';
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(
          `The file of the console's users cannot be read (${reason}); name one in CONSOLE_USERS that the console may read`,
          { cause: error },
        );
      }
      this.#problem = error.message;
    }
    if (this.#problem !== before) this.#broken(this.#problem);
  }
}

/** Another one whenever the file may have another content. */
function stateOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(' ');
  } catch (error) {
    return String(error);
  }
}

class WrongLines extends Error {}

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
  throw new WrongLines(
    `${path} is wrong: ${wrong.join('; ')}. Expected one line for each user, name:roles:hash; npm run -s console -- user <name> <roles> makes one`,
  );
}

/** The user, or what is wrong. */
function userIn(line: string): FileUser | string {
  const { name = '', rightsText = '', hash = '' } = partsOf(line);
  if (!isUserName(name)) return `the name ${USER_NAME_RULE}`;
  const rights = rightsIn(rightsText);
  if (typeof rights === 'string') return rights;
  if (!isPasswordHash(hash)) return 'the hash is not one that the command user makes';
  return { name, ...rights, hash };
}

/** The rights may hold colons, as in inbox:claims; a name and a hash never do. */
function partsOf(line: string) {
  const [first, last] = [line.indexOf(':'), line.lastIndexOf(':')];
  if (first < 0 || first === last)
    return {
      name: first < 0 ? line : line.slice(0, first),
      rightsText: first < 0 ? '' : line.slice(first + 1),
    };
  return {
    name: line.slice(0, first),
    rightsText: line.slice(first + 1, last),
    hash: line.slice(last + 1),
  };
}
