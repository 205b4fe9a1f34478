// Two Postgres on one data folder would destroy it. Postgres refuses it with its lock file. This file gives the refusal
// a clear message, and removes the lock file of a killed Postgres if another program has its process number.

import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';

const REFUSAL = /lock file "postmaster\.pid" already exists/;

/** Throws when another Postgres uses the folder; true when the lock was stale and is gone; false when it was no such refusal. */
export async function removeStaleLock(lastLines: string, dataFolder: string): Promise<boolean> {
  if (!REFUSAL.test(lastLines)) return false;
  const lockFile = join(dataFolder, 'postmaster.pid');
  const pid = Number((await readFile(lockFile, 'utf8')).split('\n', 1)[0]);
  if (await isPostgresOf(pid, dataFolder))
    throw new Error(
      `The data folder ${dataFolder} is in use by another Postgres (process ${pid}): ` +
        'stop the lockerflow that started it, or set LOCKERFLOW_HOME to another folder',
    );
  await rm(lockFile);
  return true;
}

/** If the system does not say what a process is, the lock counts. */
async function isPostgresOf(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === dataFolder;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    // EACCES: a process of another user, so it cannot be checked.
    return true;
  }
}
