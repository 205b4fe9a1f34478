// The cluster's Postgres as a component, with the databases of the service and of Temporal.
import { join } from 'node:path';
import type { Component } from '../components/component.ts';
import { LOOPBACK } from '../ports.ts';
import { startPostgres } from '../postgres/postgres.ts';
import { createDatabases, createTemporalTables } from './temporal/databases.ts';

// Five processes of Temporal with 30 each, two services with 20 each, and some for people.
const MAXIMUM_CONNECTIONS = 250;

interface ClusterDatabase extends Component {
  url(): string;
}

export function clusterDatabase(home: string, port: number, tool: string): ClusterDatabase {
  let url: string | undefined;
  return {
    name: 'Postgres',
    logFile: join(home, 'postgres', 'postgres.log'),
    ports: { POSTGRES_PORT: port },
    url() {
      if (url === undefined) throw new TypeError('The database has no URL before it is started');
      return url;
    },
    async start() {
      const folder = join(home, 'postgres');
      const postgres = await startPostgres({ folder, port, maximumConnections: MAXIMUM_CONNECTIONS });
      url = postgres.url;
      if (await createDatabases(url)) await createTemporalTables(tool, url);
      return { line: `${LOOPBACK}:${port}`, ended: postgres.ended, stop: postgres.stop, kill: postgres.kill };
    },
  };
}
