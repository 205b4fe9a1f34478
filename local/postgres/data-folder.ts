// The data folder of the local Postgres: made once with initdb, with a random password that is kept beside it.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { giveTo } from './postgres-user.ts';
import type { PostgresPrograms } from './programs.ts';

export const POSTGRES_USER = 'lockerflow';

export interface DataFolder {
  readonly folder: string;
  readonly password: string;
}

export async function prepareDataFolder(
  { folder, durable }: { readonly folder: string; readonly durable: boolean },
  programs: PostgresPrograms,
): Promise<DataFolder> {
  await mkdir(folder, { recursive: true });
  const data = resolve(folder, 'data');
  const passwordFile = join(folder, 'password');
  if (!existsSync(data)) {
    const password = randomBytes(24).toString('base64url');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await initialise(data, password, durable, programs);
  }
  return { folder: data, password: (await readFile(passwordFile, 'utf8')).trim() };
}

/** Made under another name and renamed when whole, so that an interrupted first start leaves nothing half-made. */
async function initialise(
  data: string,
  password: string,
  durable: boolean,
  { initdb, user }: PostgresPrograms,
): Promise<void> {
  const making = `${data}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { mode: 0o700 });
  // A place that Postgres's user can read: it may have no right to enter the parent folder of the data.
  const secret = await mkdtemp(join(user.temporary, 'lockerflow-postgres-'));
  try {
    await writeFile(join(secret, 'password'), password, { mode: 0o600 });
    await giveTo(user, making, secret, join(secret, 'password'));
    const flags = [
      ...['-D', user.pathInside(making), `--username=${POSTGRES_USER}`],
      ...['--auth=scram-sha-256', `--pwfile=${join(secret, 'password')}`],
      ...['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...(durable ? [] : ['--no-sync']),
    ];
    await promisify(execFile)(initdb, flags, { cwd: making, ...user.ids });
  } finally {
    await rm(secret, { recursive: true, force: true });
  }
  await rename(making, data);
}
