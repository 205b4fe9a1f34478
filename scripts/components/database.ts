// The database of the service as a component of the local installation: an embedded Postgres, or the one of DATABASE_URL.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { urlFile } from '../own-database.ts';
import { startPostgres } from '../postgres/postgres.ts';
import type { LocalSettings } from '../settings.ts';
import type { Component } from './components.ts';

const DATABASE = 'lockerflow';
// It holds the password.
const OWNER_ONLY = 0o600;

type DatabaseComponent = Component & {
  url(): string;
};

export function databaseComponent({ home, postgresPort }: LocalSettings): DatabaseComponent {
  let url: string | undefined;
  return {
    name: 'Postgres',
    logFile: join(home, 'postgres', 'postgres.log'),
    ports: { POSTGRES_PORT: postgresPort },
    url() {
      if (url === undefined) throw new TypeError('The database has no URL before it is started');
      return url;
    },
    async start() {
      await mkdir(home, { recursive: true });
      const postgres = await startPostgres({ folder: join(home, 'postgres'), port: postgresPort });
      await createDatabase(postgres.url);
      url = new URL(`/${DATABASE}`, postgres.url).href;
      const file = urlFile(home);
      await writeFile(file, `${url}\n`, { mode: OWNER_ONLY });
      const line = `127.0.0.1:${postgresPort}, its URL in ${file}`;
      return { line, ended: postgres.ended, stop: postgres.stop, kill: postgres.kill };
    },
  };
}

async function createDatabase(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
