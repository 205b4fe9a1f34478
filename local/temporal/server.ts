// Runs a Temporal server with its SQLite store on this machine, for `npm start` (a file that stays, the Web UI) and for
// tests (a file of its own, a free port). It is ready when the returned promise resolves, and never outlives this process.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { isPortInUse } from '../../shared/terminal/listening.ts';
import { type Child, type Running, startChild, untilReady } from '../child-process.ts';
import { freePort, isFree, isListening, LOOPBACK } from '../ports.ts';
import { temporalProgram } from './program.ts';

/** A port found free, here or by the server for its inner parts, may be taken before it listens: so many tries. */
const PORT_TRIES = 3;

const SETTINGS = [
  // Its default of 20 polls a second delays a task by up to 50 ms; so high, a signal reaches its flow in half the time.
  'history.transferProcessorMaxPollRPS=1000',
];

type SearchAttributeType = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

export type TemporalServerOptions = {
  /** 0, the default, is a free one. */
  port?: number;
  /** None, the default, is no Web UI. */
  uiPort?: number;
  /** Where Prometheus finds the server's metrics; none, the default, is a port that nobody knows. */
  metricsPort?: number;
  /** None, the default, is a temporary one: it is not synced, and removed when the server ends. Never "in memory": the
   *  server loses such a store, its namespace too, when SQLite is interrupted in a statement. */
  databaseFile?: string;
  searchAttributes?: Readonly<Record<string, SearchAttributeType>>;
  /** Beside the project's own, by the server's names. */
  dynamicConfiguration?: Readonly<Record<string, string>>;
  log?: NodeJS.WritableStream;
};

export interface TemporalServer extends Running {
  /** host:port, for Connection.connect and NativeConnection.connect. */
  readonly address: string;
}

export async function startTemporalServer(options: TemporalServerOptions = {}): Promise<TemporalServer> {
  const program = await temporalProgram();
  for (let attempt = 1; ; attempt++) {
    await refuseTakenPorts(options);
    const port = options.port || (await freePort());
    const server = await startWithStore(program, port, options);
    try {
      await ready(server, port);
      return { address: `${LOOPBACK}:${port}`, ...server };
    } catch (error) {
      await server.stop();
      if (!isPortInUse(error) || attempt === PORT_TRIES) throw error;
    }
  }
}

async function startWithStore(
  program: string,
  port: number,
  { databaseFile, log, ...options }: TemporalServerOptions,
): Promise<Child> {
  const logged = log ? { log } : {};
  if (databaseFile !== undefined) {
    // Every commit is synced, as without these, at nearly twice the rate.
    const store = storeArguments(databaseFile, { journal_mode: 'WAL', synchronous: 'full' });
    return startChild(program, [...serverArguments(port, options), ...store], logged);
  }
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-temporal-'));
  const store = storeArguments(join(folder, 'temporal.sqlite'), { journal_mode: 'WAL', synchronous: 'off' });
  // There is nothing to save, and a graceful stop takes more than a second.
  const server = startChild(program, [...serverArguments(port, options), ...store], {
    stopSignal: 'KILL',
    scratchFolder: folder,
    ...logged,
  });
  return { ...server, kill: server.stop };
}

function storeArguments(databaseFile: string, pragmas: Readonly<Record<string, string>>): string[] {
  const args = ['--db-filename', databaseFile];
  for (const [name, value] of Object.entries(pragmas)) args.push('--sqlite-pragma', `${name}=${value}`);
  return args;
}

/** Before a start: a start on a taken port would find the other server ready. */
async function refuseTakenPorts({ port, uiPort }: TemporalServerOptions): Promise<void> {
  for (const wanted of [port, uiPort]) {
    if (wanted && !(await isFree(wanted))) throw new Error(`port ${wanted} on ${LOOPBACK} is in use`);
  }
}

function serverArguments(
  port: number,
  { uiPort, metricsPort, searchAttributes = {}, dynamicConfiguration = {} }: TemporalServerOptions,
): string[] {
  const args = ['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port)];
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  if (metricsPort !== undefined) args.push('--metrics-port', String(metricsPort));
  for (const setting of SETTINGS) args.push('--dynamic-config-value', setting);
  for (const [name, value] of Object.entries(dynamicConfiguration))
    args.push('--dynamic-config-value', `${name}=${value}`);
  for (const [name, type] of Object.entries(searchAttributes))
    args.push('--search-attribute', `${name}=${type}`);
  return args;
}

/** Resolves when the server answers for its default namespace; rejects with its output if it ends before. */
async function ready(server: Child, port: number): Promise<void> {
  const isReady = () =>
    answers(port).then(
      () => true,
      () => false,
    );
  const said = await untilReady(server, isReady);
  if (said !== undefined) throw new Error(`Temporal ended at its start: ${said}`);
}

/** Rejects if it does not yet: also while it listens already and is too busy to answer. */
async function answers(port: number): Promise<void> {
  // A connection that is made too early is tried again after a second only.
  if (!(await isListening(port))) throw new Error(`Temporal does not listen on port ${port}`);
  const connection = await Connection.connect({ address: `${LOOPBACK}:${port}` });
  try {
    const { namespaces } = await connection.workflowService.listNamespaces({});
    if (!namespaces.some(({ namespaceInfo }) => namespaceInfo?.name === 'default'))
      throw new Error('Temporal has no default namespace');
  } finally {
    await connection.close();
  }
}
