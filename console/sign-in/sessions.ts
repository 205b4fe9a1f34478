// The sessions: by the hash of their secret, so that the file of them lets nobody in. They outlast a restart where the
// console has a folder for the file.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type ConsoleUser, consoleRoles } from '../access/user.ts';

const SECRET_BYTES = 32;
/** Sessions of one person: who signs in again and again loses the oldest of their own. */
export const MAX_PER_PERSON = 20;
/** Sessions of all people, so that the file of them stays small. Beyond that, whoever has the most loses the oldest one. */
export const MAX_SESSIONS = 1_000;

const session = z.object({
  name: z.string(),
  /** For a user who came by a link; others have the roles of the file, or of their groups, at each request. */
  roles: z.array(z.enum(consoleRoles)).nullable(),
  inboxes: z.array(z.string()).default([]),
  /** For a user who came by a password: a hash of the hash in the file of users. A new password ends the session. */
  password: z.string().nullable().default(null),
  /** For a user who came from an OpenID provider: which one, and those of their groups that the settings name. */
  provider: z
    .object({ issuer: z.string(), groups: z.array(z.string()) })
    .nullable()
    .default(null),
  endsAt: z.number(),
});
const kept = z.object({ sessions: z.record(z.string(), session), usedLink: z.string().nullable() });

export type Session = Readonly<z.infer<typeof session>>;
export type AtProvider = NonNullable<Session['provider']>;

/** By what a session has begun: a link, with its rights; a password, with its hash in the file of users; or a provider. */
type BegunBy =
  | { readonly roles: ConsoleUser['roles']; readonly inboxes?: readonly string[] }
  | { readonly passwordHash: string }
  | { readonly provider: AtProvider };

interface SessionsOptions {
  /** Undefined: they end with the process. */
  readonly file: string | undefined;
  readonly lastMs: number;
  /** The secret of the link that signs in once. */
  readonly link: string | undefined;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions: Map<string, Session>;
  #usedLink: string | null;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { sessions, usedLink } = readKept(options.file);
    this.#sessions = new Map(Object.entries(sessions));
    this.#usedLink = usedLink;
  }

  /** Gives the secret of the new session. */
  begin(name: string, by: BegunBy, now = Date.now()): string {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    for (const [hash, { endsAt }] of this.#sessions) if (endsAt <= now) this.#sessions.delete(hash);
    const begun: Session = {
      name,
      endsAt: now + this.#options.lastMs,
      ...('roles' in by
        ? { roles: [...by.roles], inboxes: [...(by.inboxes ?? [])] }
        : { roles: null, inboxes: [] }),
      password: 'passwordHash' in by ? hashOf(by.passwordHash) : null,
      provider: 'provider' in by ? by.provider : null,
    };
    this.#makeRoomFor(begun);
    this.#sessions.set(hashOf(secret), begun);
    this.#write();
    return secret;
  }

  #makeRoomFor(begun: Session): void {
    const byPerson = new Map<string, string[]>();
    for (const [hash, session] of this.#sessions) {
      const hashes = byPerson.get(personOf(session));
      if (hashes) hashes.push(hash);
      else byPerson.set(personOf(session), [hash]);
    }
    const own = byPerson.get(personOf(begun)) ?? [];
    const most = [...byPerson.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    const from = own.length >= MAX_PER_PERSON ? own : most;
    const isFull = own.length >= MAX_PER_PERSON || this.#sessions.size >= MAX_SESSIONS;
    const [oldest] = from;
    if (isFull && oldest !== undefined) this.#sessions.delete(oldest);
  }

  find(secret: string, now = Date.now()): Session | undefined {
    const found = this.#sessions.get(hashOf(secret));
    return found && found.endsAt > now ? found : undefined;
  }

  end(secret: string): void {
    if (this.#sessions.delete(hashOf(secret))) this.#write();
  }

  /** Whether it is the link's secret, and nobody has used it yet: from now on it is used. */
  takeLink(secret: string): boolean {
    const { link } = this.#options;
    if (link === undefined || hashOf(secret) !== hashOf(link) || this.#usedLink === hashOf(link))
      return false;
    this.#usedLink = hashOf(link);
    this.#write();
    return true;
  }

  #write(): void {
    const { file } = this.#options;
    if (file === undefined) return;
    const content = { sessions: Object.fromEntries(this.#sessions), usedLink: this.#usedLink };
    writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

/** Whether the user's password is the one with which the session has begun. */
export const isOfPassword = ({ password }: Session, passwordHash: string): boolean =>
  password === hashOf(passwordHash);

/** A name at a provider, or in a link, need not be the person of that name in the file of users. */
function personOf({ name, roles, provider }: Session): string {
  const way = roles ? 'link' : 'password';
  return JSON.stringify([provider?.issuer ?? way, name]);
}

// 32 random bytes: nobody finds the secret, nor another with the same hash.
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

function readKept(file: string | undefined): z.infer<typeof kept> {
  if (file === undefined || !existsSync(file)) return { sessions: {}, usedLink: null };
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Cut short by a full disk, say: then people sign in again.
    return { sessions: {}, usedLink: null };
  }
}
