// Puts a backup in the place of a local installation that does not run. What was there is moved aside, never deleted.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { refuseRunningPostgres } from '../postgres/lock.ts';
import { giveTo } from '../postgres/operating-system-user.ts';
import { type PostgresPrograms, postgresPrograms } from '../postgres/programs.ts';
import { KEYS, TEMPORAL_FILE, WALLS } from './backup.ts';
import { type BackupManifest, wholeBackup } from './backup-folder.ts';
import { restoreMark } from './unfinished-restore.ts';

/** What a backup has of an installation, and what it replaces. The log of SQLite belongs to the file that is replaced. */
const REPLACED = [
  ...['postgres', TEMPORAL_FILE, `${TEMPORAL_FILE}-wal`, `${TEMPORAL_FILE}-shm`],
  ...WALLS,
  ...KEYS,
] as const;

export interface Restored {
  readonly manifest: BackupManifest;
  /** The folder with what was there before, if anything was. */
  readonly aside: string | undefined;
}

/** Throws an Error that says what to do. Nothing is changed before the backup is found whole and the installation at rest. */
export async function restore(home: string, folder: string): Promise<Restored> {
  const manifest = await wholeBackup(folder);
  const programs = await postgresPrograms();
  await refuseOtherMajor(manifest, programs);
  await refuseRunning(home);
  const ready = join(home, 'restoring');
  await rm(ready, { recursive: true, force: true });
  await mkdir(ready, { recursive: true, mode: 0o700 });
  await layOut(folder, ready, manifest, programs);
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
  { user }: PostgresPrograms,
): Promise<void> {
  const data = join('postgres', 'data');
  const placeOf = (name: string) => join(ready, name.replace(/^(keys|walls)\//, ''));
  const isOwn = (name: string) => name === 'keys' || name === 'walls';
  for (const name of folders) if (!isOwn(name)) await mkdir(placeOf(name), { recursive: true, mode: 0o700 });
  for (const name of Object.keys(files)) await cp(join(folder, name), placeOf(name));
  const postgresOwns = [...folders, ...Object.keys(files)].filter((name) => name.startsWith(data));
  await giveTo(user, ...postgresOwns.map(placeOf));
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
