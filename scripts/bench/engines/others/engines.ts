// Restate and DBOS on this machine, each with the worker by hand. The project itself does not need their packages: they are
// installed into the cache.
import { mkdir } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startChild, untilReady } from '../../../child-process.ts';
import { freePort, freePorts, LOOPBACK } from '../../../ports.ts';
import { startPostgres } from '../../../postgres/postgres.ts';
import { logProgress } from '../../measure.ts';
import { obtainPackages } from '../../packages.ts';
import { startOwn } from '../../programs.ts';
import { bytesInFolder, keptInPostgres, query } from '../../used.ts';
import { type Engine, post } from '../engine.ts';
import { REPORTS } from '../full-circle.ts';

export interface Others {
  /** Where they are in the cache. */
  readonly folder: string;
  /** For a program that imports them: what it imports by these names comes from the cache. */
  readonly nodeOptions: readonly string[];
}

export async function obtainOthers(): Promise<Others> {
  const words = 'Restate and DBOS into the cache, once: some 70 MB to load, about a minute';
  const folder = await obtainPackages(
    { listedIn: import.meta.dirname, name: 'bench-engines', words },
    logProgress,
  );
  const from = JSON.stringify(pathToFileURL(join(folder, 'package.json')).href);
  const hook = `import { registerHooks } from 'node:module';
    const others = /^@(?:restatedev|dbos-inc)\\//;
    registerHooks({ resolve: (name, context, next) =>
      next(name, others.test(name) ? { ...context, parentURL: ${from} } : context) });`;
  return { folder, nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(hook)}`] };
}

/** With its default configuration, which is that of production: it syncs what it has committed before it answers. */
export async function startRestate(home: string, lockerUrl: string, others: Others): Promise<Engine> {
  const folder = join(home, 'restate');
  await mkdir(folder, { recursive: true });
  const [ingressPort, adminPort, nodePort, port] = await freePorts(4);
  const ingress = `http://${LOOPBACK}:${ingressPort}`;
  const admin = `http://${LOOPBACK}:${adminPort}`;
  const server = startChild(
    join(others.folder, `node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`),
    [
      ...['--no-logo', '--base-dir', join(folder, 'data'), '--node-name', 'bench'],
      ...['--listen-mode', 'tcp', '--bind-ip', LOOPBACK, '--bind-port', String(nodePort)],
    ],
    {
      env: {
        ...process.env,
        RESTATE_INGRESS__BIND_PORT: String(ingressPort),
        RESTATE_ADMIN__BIND_PORT: String(adminPort),
        RESTATE_DISABLE_TELEMETRY: 'true',
        RESTATE_LOG_FILTER: 'warn',
      },
    },
  );
  const isUp = async () => (await isOk(`${admin}/health`)) && (await isOk(`${ingress}/restate/health`));
  const words = await untilReady(server, isUp);
  if (words !== undefined) throw new Error(`Restate did not start: ${words}`);
  const worker = await startOwn(['scripts/bench/engines/others/restate-worker.ts', String(port), lockerUrl], {
    nodeOptions: others.nodeOptions,
    env: { ...process.env, RESTATE_LOGGING: 'ERROR' },
  });
  await post(`${admin}/deployments`, { uri: `http://${LOOPBACK}:${port}` });
  const send = (flowId: string, handler: string, body: unknown) =>
    post(`${ingress}/restate/send/fullCircle/${encodeURIComponent(flowId)}/${handler}`, body);
  return {
    name: 'by hand, Restate',
    worker,
    folder,
    begin: (flowId, request) => send(flowId, 'run', request),
    report: (flowId, report) => send(flowId, REPORTS, report),
    result: (workflowKey) =>
      post(`${ingress}/restate/attach`, { target: 'workflow', workflowName: 'fullCircle', workflowKey }),
    storedBytes: () => bytesInFolder(folder),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * A library in the worker, and a Postgres that syncs each commit. Reports come by the worker's own HTTP server, which sends
 * them: DBOS has no server of its own.
 */
export async function startDbos(home: string, lockerUrl: string, others: Others): Promise<Engine> {
  const folder = join(home, 'dbos');
  const postgres = await startPostgres({ folder, port: 0 });
  await query(postgres.url, 'create database dbos');
  const database = new URL('/dbos', postgres.url).href;
  const port = String(await freePort());
  const worker = await startOwn(['scripts/bench/engines/others/dbos-worker.ts', port, lockerUrl, database], {
    // What it warns of is its own use of its driver.
    nodeOptions: [...others.nodeOptions, '--disable-warning=DeprecationWarning'],
  });
  const send = (route: string, flowId: string, body: unknown) =>
    post(`http://${LOOPBACK}:${port}/${route}/${encodeURIComponent(flowId)}`, body);
  return {
    name: 'by hand, DBOS on Postgres',
    worker,
    folder,
    begin: (flowId, request) => send('start', flowId, request),
    report: (flowId, report) => send(REPORTS, flowId, report),
    result: (flowId) => send('result', flowId, null),
    storedBytes: async () => (await keptInPostgres(database, { all: false })).bytes,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await postgres.stop();
    },
  };
}
