// Runs a Temporal server with its SQLite store on this machine, for `npm start` (a file, the Web UI) and for tests
// (in memory, a free port). It is ready when the returned promise resolves, and never outlives this process.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { TimeLimit } from '../../limits/time-limit.ts';
import { freePort, isFree, isListening, LOOPBACK } from '../ports.ts';
import { type SupervisedProcess, startSupervised } from '../supervised-process.ts';
import { temporalProgram } from './program.ts';

/** A start takes about 1 s; one that is not ready by then, in ms, hangs. */
const READY_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 25;
/** A port found free, here or by the server for its inner parts, may be taken before it listens: so many tries. */
const PORT_TRIES = 3;

const SETTINGS = [
  // Its default of 20 polls a second delays a task by up to 50 ms; so high, a signal reaches its flow in half the time.
  'history.transferProcessorMaxPollRPS=1000',
];

export type SearchAttributeType = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

export type TemporalServerOptions = {
  /** 0, the default, is a free one. */
  port?: number;
  /** None, the default, is no Web UI. */
  uiPort?: number;
  /** Where Prometheus finds the server's metrics; none, the default, is a port that nobody knows. */
  metricsPort?: number;
  /** None, the default, keeps everything in memory. */
  databaseFile?: string;
  searchAttributes?: Readonly<Record<string, SearchAttributeType>>;
  /** Beside the project's own, by the server's names. */
  dynamicConfiguration?: Readonly<Record<string, string>>;
  /** Where the server's own lines go. */
  log?: NodeJS.WritableStream;
};

export type TemporalServer = {
  /** host:port, for Connection.connect and NativeConnection.connect. */
  readonly address: string;
  /** Resolves, with the server's output, when it has ended for any reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** Ends it at once, as when the machine fails. */
  kill(): Promise<void>;
};

export async function startTemporalServer(options: TemporalServerOptions = {}): Promise<TemporalServer> {
  const program = await temporalProgram();
  for (let attempt = 1; ; attempt++) {
    await refuseTakenPorts(options);
    const port = options.port || (await freePort());
    const server = startSupervised(program, serverArguments(port, options), {
      // Without a file there is nothing to save, and a graceful stop takes more than a second.
      stopSignal: options.databaseFile === undefined ? 'KILL' : 'TERM',
      ...(options.log ? { log: options.log } : {}),
    });
    try {
      await ready(server, port);
      const { ended, stop, kill } = server;
      return { address: `${LOOPBACK}:${port}`, ended, stop, kill };
    } catch (error) {
      await server.stop();
      const taken = error instanceof Error && error.message.includes('address already in use');
      if (!taken || attempt === PORT_TRIES) throw error;
    }
  }
}

/** Before a start: a start on a taken port would find the other server ready. */
async function refuseTakenPorts({ port, uiPort }: TemporalServerOptions): Promise<void> {
  for (const wanted of [port, uiPort]) {
    if (wanted && !(await isFree(wanted))) throw new Error(`port ${wanted} on ${LOOPBACK} is in use`);
  }
}

function serverArguments(
  port: number,
  {
    uiPort,
    metricsPort,
    databaseFile,
    searchAttributes = {},
    dynamicConfiguration = {},
  }: TemporalServerOptions,
): string[] {
  const args = ['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port)];
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  if (metricsPort !== undefined) args.push('--metrics-port', String(metricsPort));
  if (databaseFile !== undefined) {
    // Every commit is synced, as without these, at nearly twice the rate.
    args.push('--db-filename', databaseFile);
    args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=full');
  }
  for (const setting of SETTINGS) args.push('--dynamic-config-value', setting);
  for (const [name, value] of Object.entries(dynamicConfiguration))
    args.push('--dynamic-config-value', `${name}=${value}`);
  for (const [name, type] of Object.entries(searchAttributes))
    args.push('--search-attribute', `${name}=${type}`);
  return args;
}

/** Resolves when the server answers for its default namespace; rejects with its output if it ends before. */
async function ready(server: SupervisedProcess, port: number): Promise<void> {
  const given = new AbortController();
  using deadline = new TimeLimit(READY_WITHIN_MS, given.signal);
  const ended = server.ended.then((said) => {
    throw new Error(`Temporal ended at its start: ${said}`);
  });
  try {
    await Promise.race([ended, answers(port, deadline.signal)]);
  } finally {
    given.abort();
  }
}

async function answers(port: number, deadline: AbortSignal): Promise<void> {
  while (!(await isListening(port))) await pause(deadline);
  const connection = await Connection.connect({ address: `${LOOPBACK}:${port}` });
  try {
    while (!(await hasDefaultNamespace(connection))) await pause(deadline);
  } finally {
    await connection.close();
  }
}

async function pause(deadline: AbortSignal): Promise<void> {
  if (deadline.aborted) throw new Error(`Temporal is not ready after ${READY_WITHIN_MS / 1000} s`);
  await sleep(LOOK_AGAIN_MS);
}

async function hasDefaultNamespace(connection: Connection): Promise<boolean> {
  const { namespaces } = await connection.workflowService.listNamespaces({});
  return namespaces.some(({ namespaceInfo }) => namespaceInfo?.name === 'default');
}
