// A backup of a local installation while it runs: Temporal's store, then the service's Postgres, the walls' memory and the
// keys. Each store is consistent in itself. Postgres is the later one: a booking that a flow knows is in it.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { backupKey } from '../key-files.ts';
import { LOOPBACK } from '../ports.ts';
import { POSTGRES_USER } from '../postgres/data.ts';
import { type BackupManifest, KEYS, sealBackup, TEMPORAL_FILE, WALLS } from './backup-folder.ts';
import { copyPostgres, postgresMajorOf } from './postgres-copy.ts';

// More pages than there are: in one step, so that the copy is of one moment whatever is written meanwhile.
const ALL_PAGES = 2 ** 31 - 1;

/** Throws an Error that says what to do; what it had copied by then is removed. */
export async function backUp(home: string, folder: string): Promise<BackupManifest> {
  await refuseFolderInUse(folder);
  const at = new Date().toISOString();
  const making = `${folder}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true, mode: 0o700 });
  try {
    await copyTemporal(home, making);
    const postgresMajor = await copyRunningPostgres(home, making);
    await copyExisting(home, join(making, 'walls'), WALLS);
    await copyExisting(home, join(making, 'keys'), KEYS);
    const manifest = await sealBackup(making, { at, postgresMajor }, await backupKey(home));
    await rm(folder, { recursive: true, force: true }); // Empty: see above.
    await rename(making, folder);
    return manifest;
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

async function refuseFolderInUse(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' ? new Error(`${folder} is a file: name a new folder`) : error;
  });
  if (entries.length > 0) throw new Error(`${folder} is not empty: name a new folder for each backup`);
  await mkdir(dirname(folder), { recursive: true });
}

async function copyTemporal(home: string, making: string): Promise<void> {
  const file = join(home, TEMPORAL_FILE);
  if (!existsSync(file)) return; // npm start -- --service-only has none.
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    await copyDatabase(database, join(making, TEMPORAL_FILE), { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}

async function copyRunningPostgres(home: string, making: string): Promise<number> {
  const data = join(home, 'postgres', 'data');
  if (!existsSync(data))
    throw new Error(
      `${home} has no embedded Postgres: nothing was ever started there. Set LOCKERFLOW_HOME to the folder of your ` +
        'installation; a Postgres of your own (DATABASE_URL) is backed up with its own tools',
    );
  const url = await urlOfRunning(join(home, 'postgres'));
  try {
    await copyPostgres(url, data, join(making, 'postgres', 'data'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error;
    throw new Error(NOT_RUNNING, { cause: error });
  }
  await copyExisting(join(home, 'postgres'), join(making, 'postgres'), ['password']);
  return await postgresMajorOf(data);
}

const NOT_RUNNING = 'Postgres does not run: start it with npm start, then back up';

/** By the port that the server has written down: `npm start` and `npm run cluster` may have different ones. */
async function urlOfRunning(folder: string): Promise<string> {
  const lock = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const port = Number(lock.split('\n')[3]);
  if (!port) throw new Error(NOT_RUNNING);
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  return `postgres://${POSTGRES_USER}:${password}@${LOOPBACK}:${port}/postgres`;
}

async function copyExisting(from: string, to: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    if (existsSync(join(from, name))) await cp(join(from, name), join(to, name), { recursive: true });
}
