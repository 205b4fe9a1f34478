// Puts a backup in the place of a local installation that does not run. What was there is moved aside, never deleted.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { knownBackupKey } from '../key-files.ts';
import { addConfiguration } from '../postgres/data.ts';
import { refuseRunningPostgres } from '../postgres/lock.ts';
import { giveTo } from '../postgres/operating-system-user.ts';
import { type PostgresPrograms, postgresPrograms } from '../postgres/programs.ts';
import {
  type BackupManifest,
  copyBackedUp,
  KEYS,
  POSTGRES_DATA,
  readBackup,
  TEMPORAL_FILE,
  WALLS,
} from './backup-folder.ts';
import { isPostgresData } from './postgres-copy.ts';
import { restoreMark } from './unfinished-restore.ts';

/** What a backup has of an installation, and what it replaces. The log of SQLite belongs to the file that is replaced. */
const REPLACED = [
  ...['postgres', TEMPORAL_FILE, `${TEMPORAL_FILE}-wal`, `${TEMPORAL_FILE}-shm`],
  ...WALLS,
  ...KEYS,
] as const;

interface Restored {
  readonly manifest: BackupManifest;
  /** The folder with what was there before, if anything was. */
  readonly aside: string | undefined;
}

/**
 * Throws an Error that says what to do. Nothing is changed before the backup is found whole and the installation at rest.
 * @param confirmForeign asked where this installation has not made the backup, or somebody has changed it since: throws
 *   unless it is wanted all the same. What is in a database can run programs: who restores it trusts who has made it
 */
export async function restore(
  home: string,
  folder: string,
  confirmForeign: () => Promise<void>,
): Promise<Restored> {
  const { manifest, isOwn } = await readBackup(folder, await knownBackupKey(home));
  const programs = await postgresPrograms();
  await refuseOtherMajor(manifest, programs);
  await refuseRunning(home);
  if (!isOwn) await confirmForeign();
  const ready = join(home, 'restoring');
  await rm(ready, { recursive: true, force: true });
  await mkdir(ready, { recursive: true, mode: 0o700 });
  try {
    await layOut(folder, ready, manifest, programs);
  } catch (error) {
    await rm(ready, { recursive: true, force: true });
    throw error;
  }
  await writeFile(restoreMark(home), '');
  const aside = await moveAside(home);
  for (const name of await readdir(ready)) await rename(join(ready, name), join(home, name));
  await rm(ready, { recursive: true });
  await rm(restoreMark(home));
  return { manifest, aside };
}

async function refuseOtherMajor(
  { postgresMajor }: BackupManifest,
  { major }: PostgresPrograms,
): Promise<void> {
  const present = await major();
  if (present !== postgresMajor)
    throw new Error(
      `the backup is of Postgres ${postgresMajor}, this checkout has Postgres ${present}: restore it with a checkout of ` +
        `the version that made it`,
    );
}

async function refuseRunning(home: string): Promise<void> {
  await refuseRunningPostgres(join(home, 'postgres', 'data'));
  const file = join(home, TEMPORAL_FILE);
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  try {
    // Whoever has the file open, even at rest, holds a lock that this one cannot be had beside.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK');
  } catch (cause) {
    throw new Error(`Temporal runs on ${file}: stop npm start (Ctrl-C) before you restore`, { cause });
  } finally {
    database.close();
  }
}

/** As they will lie in the installation's folder. */
async function layOut(
  folder: string,
  ready: string,
  { folders, files }: BackupManifest,
  programs: PostgresPrograms,
): Promise<void> {
  const placeOf = (name: string) => join(ready, name.replace(/^(keys|walls)\//, ''));
  const isOfPostgres = (name: string) => name.startsWith(`${POSTGRES_DATA}/`);
  const isTaken = (name: string) =>
    isOfPostgres(name)
      ? isPostgresData(name.slice(POSTGRES_DATA.length + 1))
      : !['keys', 'walls', 'postgres/url'].includes(name);
  const takenFolders = folders.filter(isTaken);
  const takenFiles = Object.entries(files).filter(([name]) => isTaken(name));
  for (const name of takenFolders) await mkdir(placeOf(name), { recursive: true, mode: 0o700 });
  for (const [name, expected] of takenFiles) await copyBackedUp(folder, name, expected, placeOf(name));
  const data = join(ready, POSTGRES_DATA);
  const postgresOwns = [...takenFolders, ...takenFiles.map(([name]) => name)].filter(isOfPostgres);
  await giveTo(programs.user, data, ...postgresOwns.map(placeOf));
  await addConfiguration(data, programs);
}

/** What an earlier try had put in place is moved too: it is in the backup. */
async function moveAside(home: string): Promise<string | undefined> {
  const there = REPLACED.filter((name) => existsSync(join(home, name)));
  if (there.length === 0) return undefined;
  const aside = join(home, `before-restore-${new Date().toISOString().replaceAll(':', '.')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of there) await rename(join(home, name), join(aside, name));
  return aside;
}
