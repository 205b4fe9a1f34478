// Temporal on this machine: its development server with a file, as npm start has it, and its production server by its roles
// on Postgres, as npm run cluster has it. Both sync each commit.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import type { RunningComponent } from '../../local/components/component.ts';
import { freePort, LOOPBACK } from '../../local/ports.ts';
import { startTemporalServer } from '../../local/temporal/server.ts';
import { clusterDatabase } from '../cluster/cluster.ts';
import { obtainClusterPrograms } from '../cluster/programs.ts';
import { databases } from '../cluster/temporal/databases.ts';
import { ensureNamespace } from '../cluster/temporal/prepare-flows.ts';
import { roleComponents } from '../cluster/temporal/roles.ts';
import { logProgress } from './measure.ts';

export interface TemporalServer extends AsyncDisposable {
  /** As it stands in a table. */
  readonly words: string;
  readonly address: string;
  readonly client: Client;
  /** Its processes have it among their arguments, or are in it. */
  readonly folder: string;
}

export async function startDevelopmentServer(home: string): Promise<TemporalServer> {
  const folder = join(home, 'temporal-development');
  await mkdir(folder, { recursive: true });
  const databaseFile = join(folder, 'temporal.sqlite');
  const { address, stop } = await startTemporalServer({ databaseFile, searchAttributes });
  const connection = await Connection.connect({ address });
  return {
    words: "Temporal's development server",
    address,
    folder,
    client: new Client({ connection }),
    async [Symbol.asyncDispose]() {
      await connection.close();
      await stop();
    },
  };
}

interface ProductionServer extends TemporalServer {
  /** The address of one of the databases in its Postgres. */
  urlOf(name: keyof typeof databases): string;
  /** Where each of its processes tells its metrics. */
  readonly metrics: readonly string[];
}

export async function startProductionServer(home: string): Promise<ProductionServer> {
  const programs = await obtainClusterPrograms({ env: process.env, say: logProgress });
  const folder = join(home, 'temporal-production');
  const frontendPort = await freePort();
  const address = `${LOOPBACK}:${frontendPort}`;
  const database = clusterDatabase(folder, await freePort(), programs.temporalTables);
  await using stack = new AsyncDisposableStack();
  const start = async (part: { start(say: () => void): Promise<RunningComponent> }) =>
    stack.adopt(await part.start(() => undefined), ({ stop }) => stop());
  await start(database);
  // Alone: the first writes in the database what the others then only read.
  const [first, ...others] = await roleComponents({
    home: folder,
    server: programs.temporalServer,
    postgresUrl: database.url,
    frontendPort,
    onceAnswering: () => ensureNamespace(address),
  });
  const running = first ? [await start(first), ...(await Promise.all(others.map(start)))] : [];
  const connection = await Connection.connect({ address });
  stack.defer(() => connection.close());
  const owned = stack.move();
  const urlOf = (name: keyof typeof databases) => new URL(`/${databases[name]}`, database.url()).href;
  return {
    words: "Temporal's production server on Postgres",
    address,
    client: new Client({ connection }),
    folder,
    urlOf,
    metrics: running.flatMap(({ line }) => /http\S+\/metrics/.exec(line) ?? []),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
