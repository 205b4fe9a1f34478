// The user that runs Postgres. Postgres refuses to run as root, so root starts it as an unprivileged user.
import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

export interface PostgresUser {
  /** Empty if it runs as the user of this process. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** How a program that is started in this folder names it. */
  readonly pathInside: (folder: string) => string;
  /** A folder for temporary files that it may enter. */
  readonly temporary: string;
}

const CANDIDATES = ['postgres', 'nobody'];

export async function postgresUser(): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return { ids: {}, pathInside: (folder) => folder, temporary: tmpdir() };
  for (const name of CANDIDATES) {
    const uid = await numericId('-u', name);
    const gid = await numericId('-g', name);
    // The unprivileged user may have no right to enter the folders above, like /root. A folder that it was started
    // in is open to it all the same, under this name.
    const pathInside = (folder: string) => (process.platform === 'linux' ? '/proc/self/cwd' : folder);
    // Not root's TMPDIR: other users may not be able to read it.
    if (uid !== undefined && gid !== undefined) return { ids: { uid, gid }, pathInside, temporary: '/tmp' };
  }
  throw new Error(
    `Postgres does not run as root, and this system has no user ${CANDIDATES.join(' or ')}: ` +
      'start as another user, or set DATABASE_URL to a Postgres of your own',
  );
}

export async function giveTo({ ids: { uid, gid } }: PostgresUser, ...paths: string[]): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  for (const path of paths) await chown(path, uid, gid);
}

async function numericId(flag: '-u' | '-g', name: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('id', [flag, name]);
    return Number(stdout.trim());
  } catch {
    // id fails for a user that does not exist.
    return undefined;
  }
}
