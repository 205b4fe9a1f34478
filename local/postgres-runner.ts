// As whom Postgres runs. It refuses to run as root, so root hands it over to an unprivileged user of the system.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Runner {
  readonly uid?: number;
  readonly gid?: number;
}

const CANDIDATES = ['postgres', 'nobody'];

export async function unprivilegedRunner(): Promise<Runner> {
  if (process.getuid?.() !== 0) return {};
  for (const user of CANDIDATES) {
    const uid = await numericId('-u', user);
    const gid = await numericId('-g', user);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error(
    `Postgres does not run as root, and this system has no user ${CANDIDATES.join(' or ')}: ` +
      'start as another user, or set DATABASE_URL',
  );
}

async function numericId(flag: '-u' | '-g', user: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('id', [flag, user]);
    return Number(stdout.trim());
  } catch {
    // id fails for a user that does not exist.
    return undefined;
  }
}
