// Restate and DBOS on this machine, each with the worker by hand. The project itself does not need their packages: they are
// installed beside this file, by the benchmark.
import { mkdir } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { startChild, untilReady } from '../../../../local/child-process.ts';
import { freePort, freePorts, LOOPBACK } from '../../../../local/ports.ts';
import { startPostgres } from '../../../../local/postgres/postgres.ts';
import { startOwn } from '../../programs.ts';
import { query } from '../../used.ts';
import { type Engine, post } from '../engine.ts';
import { REPORTS } from '../full-circle.ts';

/** With its default configuration, which is that of production: it syncs what it has committed before it answers. */
export async function startRestate(home: string, lockerUrl: string): Promise<Engine> {
  const folder = join(home, 'restate');
  await mkdir(folder, { recursive: true });
  const [ingressPort, adminPort, nodePort, port] = await freePorts(4);
  const ingress = `http://${LOOPBACK}:${ingressPort}`;
  const admin = `http://${LOOPBACK}:${adminPort}`;
  const server = startChild(
    join(
      import.meta.dirname,
      `node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`,
    ),
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
export async function startDbos(home: string, lockerUrl: string): Promise<Engine> {
  const folder = join(home, 'dbos');
  const postgres = await startPostgres({ folder, port: 0 });
  await query(postgres.url, 'create database dbos');
  const database = new URL('/dbos', postgres.url).href;
  const port = String(await freePort());
  const worker = await startOwn(['scripts/bench/engines/others/dbos-worker.ts', port, lockerUrl, database], {
    // What it warns of is its own use of its driver.
    nodeOptions: ['--disable-warning=DeprecationWarning'],
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
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await postgres.stop();
    },
  };
}
