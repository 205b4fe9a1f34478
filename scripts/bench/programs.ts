// Starts programs for a benchmark, each a process of its own that does not outlive it.
import { randomUUID } from 'node:crypto';
import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getGlobalDispatcher } from 'undici';
import { type OperationName, operationRow } from '../../contract/index.ts';
import {
  type Child,
  type ChildOptions,
  saysReady,
  startNode,
  untilReady,
} from '../../local/child-process.ts';
import { freePort, LOOPBACK } from '../../local/ports.ts';
import { seedDemoData } from '../../service/demo-data.ts';
import { openDatabase } from '../../service/storage/database.ts';
import { migrate } from '../../service/storage/migrate.ts';
import { accessToken } from '../../shared/locker-api/access-token.ts';
import { newKeyLine } from '../../shared/settings/key-ring.ts';
import { leanClient } from './lean-client.ts';
import type { Milestone } from './reached.ts';
import { query } from './used.ts';

/** In the folder that is removed when the benchmark has ended (run.ts). */
export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'parts-'));

export interface Program extends AsyncDisposable {
  readonly child: Child;
  readonly processId: number;
  /** Resolves with the machine's time at which a flow came to this step (reached.ts). Asked before it can. */
  reached(step: string): Promise<number>;
}

type Variables = Readonly<Record<string, string>>;
interface ProgramOptions extends ChildOptions {
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
  readonly variables?: Variables;
}

/** @param args a program from the folder of this project, like service/main.ts, and what it is given */
function start(args: readonly string[], { nodeOptions = [], variables, ...options }: ProgramOptions) {
  return startNode([...nodeOptions, ...args], {
    env: { ...process.env, ...variables },
    showsErrors: true,
    // A worker takes half a minute if a flow does not let it go.
    stopWithinSeconds: 60,
    ...options,
  });
}

async function program<Up>(child: Child, up: Promise<Up>): Promise<Program & { readonly up: Up }> {
  const awaited = new Map<string, (at: number) => void>();
  const said = await up;
  child.onMessage((message) => {
    const { step, at } = message as Milestone;
    // A flow that is played again from its record tells its steps again.
    awaited.get(step)?.(at);
    awaited.delete(step);
  });
  return {
    child,
    up: said,
    processId: await child.processId,
    reached: (step) => new Promise((resolve) => awaited.set(step, resolve)),
    [Symbol.asyncDispose]: child.stop,
  };
}

/** One of ours, as its users start it: it is up when its log says so. */
export function startOurs(name: 'receiver' | 'worker', options: ProgramOptions) {
  const child = start([name === 'worker' ? 'worker/main.ts' : 'client/receiver/main.ts'], options);
  return program(child, child.logged(`${name} started`));
}

const endsAtOnce = '--import=data:text/javascript,process.once("SIGTERM",()=>process.exit())';

/** One of the benchmarks: it is up with its first message, and nothing of it is to be saved. */
export function startOwn(args: readonly string[], { nodeOptions = [], ...options }: ProgramOptions = {}) {
  const child = start(args, { ...options, nodeOptions: [...nodeOptions, endsAtOnce], hasChannel: true });
  return program(child, child.message());
}

/** To the service, and from it to Postgres. */
export const CONNECTIONS = 16;

/** With the tables and the demo data. */
export async function newDatabase(postgresUrl: string): Promise<string> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  await query(postgresUrl, `create database ${name}`);
  const url = new URL(`/${name}`, postgresUrl).href;
  await migrate(url);
  const database = openDatabase({ url, connections: 1, onBrokenConnection: () => undefined });
  await seedDemoData(database);
  await database.destroy();
  return url;
}

export interface Service extends AsyncDisposable {
  readonly address: string;
  readonly processId: number;
  /** As tenant demo; throws unless it succeeds. */
  call(name: OperationName, body: object): Promise<Record<string, unknown>>;
}

/** Its log goes to a file, as with most who run it: reading it here would cost the one who measures. */
export async function startService(databaseUrl: string, folder: string): Promise<Service> {
  const port = await freePort();
  const logFile = join(folder, 'service.log');
  const log = await open(logFile, 'a');
  const variables = {
    DATABASE_URL: databaseUrl,
    SERVICE_MODE: 'staging',
    SERVICE_ENCRYPTION_KEY: newKeyLine(),
    SERVICE_PORT: String(port),
    SERVICE_DATABASE_CONNECTIONS: String(CONNECTIONS),
  };
  const child = start(['service/main.ts'], { variables, outputFile: log.fd });
  await log.close();
  const address = `http://${LOOPBACK}:${port}`;
  if ((await untilReady(child, () => saysReady(address))) !== undefined)
    throw new Error(`The service did not come up; its log is ${logFile}`);
  const post = leanClient(address);
  const credentials = { clientId: 'demo', clientSecret: 'demo-secret', timeoutMs: 10_000 };
  const token = accessToken(getGlobalDispatcher(), { authUrl: new URL(address), ...credentials });
  return {
    address,
    processId: await child.processId,
    async call(name, body) {
      const { path } = operationRow(name);
      const answer = JSON.parse(await post(path, JSON.stringify(body), `Bearer ${await token.get()}`));
      if (answer.success !== true) throw new Error(`${name}: ${answer.error}: ${answer.message}`);
      return answer;
    },
    [Symbol.asyncDispose]: child.stop,
  };
}
