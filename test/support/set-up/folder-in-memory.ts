// A folder of a run of tests that is in memory where there is room. On a disk, the files of the databases that are made and
// dropped take a fifth of the time of all tests, most of it in the kernel.
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../processes/local-program.ts';

const MEMORY = '/dev/shm';
/** Postgres alone may have 1 GB of its log. A container has 64 MB by default: too few. */
const ROOM_BYTES = 4 * 2 ** 30;
const PREFIX = 'lockerflow-test-';
const OWNED = new RegExp(`^${PREFIX}(\\d+)-`);

export async function folderInMemory(): Promise<string> {
  if (!(await hasRoom())) return await mkdtemp(join(tmpdir(), PREFIX));
  await removeLeft();
  return await mkdtemp(join(MEMORY, `${PREFIX}${process.pid}-`));
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false; // Not a Linux.
  }
}

/** Those of runs that were killed: there they would hold memory. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const [, owner] = OWNED.exec(name) ?? [];
    if (!owner || isAlive(Number(owner))) continue;
    // Another user's stays.
    await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
