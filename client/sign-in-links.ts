// Links that sign one person in to the console, once. Whoever may write in the folder of the console's sessions may make one:
// the command line leaves the hash of the link's secret there, and the console takes it away when the link is opened. So a
// link needs no restart, and no secret lies on the disk.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { consoleRoles } from '../shared/settings/console-rights.ts';

const SECRET_BYTES = 32;
const FOLDER = 'console-links';
/** What the console says of itself, for whoever makes a link. */
const ADDRESS = 'address';
const OWNER_ONLY = 0o700;

const link = z.object({
  name: z.string(),
  roles: z.array(z.enum(consoleRoles)),
  inboxes: z.array(z.string()),
  /** Who made it, for the log. */
  by: z.string(),
  endsAt: z.number(),
});

export type SignInLink = Readonly<z.infer<typeof link>>;

/** By the console, when it starts. @param address by which browsers call it */
export function openLinkFolder(home: string, address: string): void {
  const folder = join(home, FOLDER);
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  // It may be an older one, with other rights.
  chmodSync(folder, OWNER_ONLY);
  writeFileSync(join(folder, ADDRESS), address);
}

export interface MadeLink {
  readonly secret: string;
  /** By which browsers call the console. */
  readonly address: string;
}

/** Throws the error of the file system: ENOENT where no console has run, EACCES for those who may not. */
export function makeLink(home: string, made: SignInLink): MadeLink {
  const folder = join(home, FOLDER);
  const address = readFileSync(join(folder, ADDRESS), 'utf8');
  removeEnded(folder);
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const file = fileOf(folder, secret);
  writeFileSync(file, JSON.stringify(made), { mode: 0o600, flag: 'wx' });
  const { uid, gid } = lstatSync(folder);
  // By root: the console could not read it.
  if (lstatSync(file).uid !== uid) chownSync(file, uid, gid);
  return { secret, address };
}

/** The link, which nobody can take again; undefined: there is none, or it has ended. */
export function takeLink(home: string, secret: string): SignInLink | undefined {
  const file = fileOf(join(home, FOLDER), secret);
  const found = linkIn(file);
  try {
    // Two may open it at once: one removes it.
    rmSync(file);
    return found && !hasEnded(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Those that nobody has opened in time. */
function removeEnded(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    // What cannot be read is perhaps just being written.
    const found = name === ADDRESS ? undefined : linkIn(file);
    if (found && hasEnded(found)) rmSync(file, { force: true });
  }
}

const hasEnded = ({ endsAt }: SignInLink): boolean => endsAt <= Date.now();

function linkIn(file: string): SignInLink | undefined {
  try {
    return link.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

const fileOf = (folder: string, secret: string): string =>
  join(folder, `${createHash('sha256').update(secret).digest('base64url')}.json`);

/** As the Web UI shows it. Only of a web address: the link is shown to people. Throws TypeError for another one. */
export function consoleLink(consoleUrl: string, workflowId: string): string {
  const base = URL.canParse(consoleUrl) ? new URL(consoleUrl) : undefined;
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.search || base.hash)
    throw new TypeError(
      `consoleUrl must be an http or https address without user name, password, ? and #, like http://127.0.0.1:8088; got ${JSON.stringify(consoleUrl)}`,
    );
  return `[This process in the console](${base.href.replace(/\/$/, '')}/process/${pathPart(workflowId)})`;
}

/** Parentheses would end the link. */
const pathPart = (text: string): string =>
  encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29');
