// DBOS on this machine: a library in the worker, and a Postgres that syncs each commit. Reports come by the worker's own
// HTTP server, which sends them: DBOS has no server of its own.
import { join } from 'node:path';
import pg from 'pg';
import { freePort, LOOPBACK } from '../../../local/ports.ts';
import { startPostgres } from '../../../local/postgres/postgres.ts';
import type { Engine } from './engine.ts';
import { REPORTS } from './full-circle.ts';
import { httpEntry } from './http-entry.ts';
import { nodeOptionsForOthers } from './others.ts';
import { postgresBytes } from './usage.ts';
import { WorkerProcess } from './worker-process.ts';

const DATABASE = 'dbos';

export async function startDbos(home: string, lockerUrl: string): Promise<Engine> {
  const folder = join(home, 'dbos');
  const postgres = await startPostgres({ folder, port: 0 });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${DATABASE}`).finally(() => client.end());
  const database = new URL(`/${DATABASE}`, postgres.url).href;
  const port = await freePort();
  const worker = new WorkerProcess({
    file: join(import.meta.dirname, 'others/dbos-worker.ts'),
    args: [String(port), lockerUrl, database],
    // What it warns of is its own use of its driver.
    nodeOptions: [...nodeOptionsForOthers(), '--disable-warning=DeprecationWarning'],
  });
  await worker.start();
  const entry = httpEntry(`http://${LOOPBACK}:${port}`);
  const pathOf = (route: string, flowId: string) => `/${route}/${encodeURIComponent(flowId)}`;
  return {
    name: 'by hand, DBOS on Postgres',
    worker,
    folder,
    async begin(flowId, request) {
      await entry.post(pathOf('start', flowId), request);
    },
    async report(flowId, report) {
      await entry.post(pathOf(REPORTS, flowId), report);
    },
    result: (flowId) => entry.post(pathOf('result', flowId), null),
    storedBytes: () => postgresBytes(database),
    async [Symbol.asyncDispose]() {
      await entry[Symbol.asyncDispose]();
      await worker.kill();
      await postgres.stop();
    },
  };
}
