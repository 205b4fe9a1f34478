// What the benchmarks of the service's own speed share: a database with the demo data, the service as a process on it, and
// a client that costs little, since it shares the service's cores.
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import pg from 'pg';
import { type OperationName, operationRow, TOKEN_PATH, tokenResponse } from '../../contract/index.ts';
import { saysReady, untilReady } from '../../local/child-process.ts';
import { freePort } from '../../local/ports.ts';
import { newKeyLine } from '../../runtime/settings/key-ring.ts';
import { seedDemoData } from '../../service/demo-data.ts';
import { openDatabase } from '../../service/storage/database.ts';
import { migrate } from '../../service/storage/migrate.ts';
import { leanClient } from './lean-client.ts';
import { startEntry } from './local-process.ts';

/** To the service, and from it to Postgres. The floors have as many. */
export const CONNECTIONS = 16;

export async function newDatabase(postgresUrl: string): Promise<string> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(`/${name}`, postgresUrl).href;
  await migrate(url);
  const database = openDatabase({ url, connections: 1, onBrokenConnection: () => undefined });
  await seedDemoData(database);
  await database.destroy();
  return url;
}

/** One for all who work on a database. */
const encryptionKey = newKeyLine();

export const serviceVariables = (url: string) => ({
  DATABASE_URL: url,
  SERVICE_MODE: 'staging',
  SERVICE_ENCRYPTION_KEY: encryptionKey,
  SERVICE_DATABASE_CONNECTIONS: String(CONNECTIONS),
});

export interface LoadedService {
  readonly address: string;
  readonly processId: number;
  stop(): Promise<void>;
}

/** Its log goes to a file, as with most who run it: reading it here would cost the one who measures. */
export async function startService(url: string, folder: string): Promise<LoadedService> {
  const port = await freePort();
  const log = await open(join(folder, 'service.log'), 'a');
  const variables = { ...serviceVariables(url), SERVICE_PORT: String(port) };
  const child = startEntry('service/main.ts', variables, { outputFile: log.fd });
  await log.close();
  const address = `http://127.0.0.1:${port}`;
  if ((await untilReady(child, () => saysReady(address))) !== undefined)
    throw new Error(`The service did not come up; its log is ${folder}/service.log`);
  return { address, processId: await child.processId, stop: child.stop };
}

export interface ServiceClient {
  /** As tenant demo; throws unless it succeeds. */
  call(name: OperationName, body: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function clientOf(address: string): Promise<ServiceClient> {
  const client = leanClient(address);
  let token = await newToken(address);
  const authorization = async () => {
    // A benchmark may take longer than a token is good for.
    if (performance.now() > token.renewAt) token = await newToken(address);
    return token.authorization;
  };
  const call = async (name: OperationName, body: object) => {
    const headers = { authorization: await authorization(), 'content-type': 'application/json' };
    return succeeded(
      name,
      JSON.parse(await client.post(operationRow(name).path, headers, JSON.stringify(body))),
    );
  };
  return { call, close: async () => client.close() };
}

/** As tenant demo. Half of its time: a request may wait long on a busy machine. */
export async function newToken(address: string) {
  const body = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' },
    scope: 'integration_api',
  });
  const askedAt = performance.now();
  const answer = await fetch(address + TOKEN_PATH, { method: 'POST', body });
  const { access_token, expires_in } = tokenResponse.parse(await answer.json());
  return { authorization: `Bearer ${access_token}`, renewAt: askedAt + expires_in * 500 };
}

/** Throws unless the operation succeeded. */
export function succeeded(name: OperationName, answer: Record<string, unknown>): Record<string, unknown> {
  if (answer.success !== true) throw new Error(`${name}: ${answer.error}: ${answer.message}`);
  return answer;
}

export interface Measured {
  readonly perSecond: number;
  readonly waits: readonly number[];
}

/** Does each, as many at a time as there are connections. */
export async function measured<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<Measured> {
  const waits: number[] = [];
  const startedAt = performance.now();
  await pLimit(CONNECTIONS).map(items, async (item) => {
    const begin = performance.now();
    await act(item);
    waits.push(performance.now() - begin);
  });
  return { perSecond: (items.length * 1_000) / (performance.now() - startedAt), waits };
}
