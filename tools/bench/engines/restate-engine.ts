// Restate on this machine: its server with its default configuration, which is that of production (it syncs what it has
// committed before it answers), and the worker by hand. Reports come by its HTTP ingress.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { programPart } from '../../../local/parts/program-part.ts';
import { freePorts, LOOPBACK } from '../../../local/ports.ts';
import type { Engine } from './engine.ts';
import { REPORTS } from './full-circle.ts';
import { httpEntry } from './http-entry.ts';
import { nodeOptionsForOthers, restateServer } from './others.ts';
import { folderBytes } from './usage.ts';
import { WorkerProcess } from './worker-process.ts';

const SERVICE = 'fullCircle';

export async function startRestate(home: string, lockerUrl: string): Promise<Engine> {
  const folder = join(home, 'restate');
  await mkdir(folder, { recursive: true });
  type Ports = [number, number, number, number];
  const [ingress, admin, node, endpoint] = (await freePorts(4)) as Ports;
  const server = await serverPart(folder, { ingress, admin, node }).start(() => undefined);
  const worker = new WorkerProcess({
    file: join(import.meta.dirname, 'others/restate-worker.ts'),
    args: [String(endpoint), lockerUrl],
    nodeOptions: nodeOptionsForOthers(),
    env: { RESTATE_LOGGING: 'ERROR' },
  });
  await worker.start();
  await using administration = httpEntry(`http://${LOOPBACK}:${admin}`);
  await administration.post('/deployments', { uri: `http://${LOOPBACK}:${endpoint}` });
  const entry = httpEntry(`http://${LOOPBACK}:${ingress}`);
  const pathOf = (flowId: string, handler: string) =>
    `/restate/send/${SERVICE}/${encodeURIComponent(flowId)}/${handler}`;
  return {
    name: 'by hand, Restate',
    worker,
    folder,
    async begin(flowId, request) {
      await entry.post(pathOf(flowId, 'run'), request);
    },
    async report(flowId, report) {
      await entry.post(pathOf(flowId, REPORTS), report);
    },
    result: (flowId) =>
      entry.post('/restate/attach', { target: 'workflow', workflowName: SERVICE, workflowKey: flowId }),
    storedBytes: () => folderBytes(folder),
    async [Symbol.asyncDispose]() {
      await entry[Symbol.asyncDispose]();
      await worker.kill();
      await server.stop();
    },
  };
}

interface Ports {
  readonly ingress: number;
  readonly admin: number;
  readonly node: number;
}

const serverPart = (folder: string, { ingress, admin, node }: Ports) =>
  programPart({
    name: 'Restate',
    home: folder,
    ports: {},
    command: () => ({
      program: restateServer(),
      args: [
        ...['--no-logo', '--base-dir', join(folder, 'data'), '--node-name', 'bench'],
        ...['--listen-mode', 'tcp', '--bind-ip', LOOPBACK, '--bind-port', String(node)],
      ],
      env: {
        RESTATE_INGRESS__BIND_PORT: String(ingress),
        RESTATE_ADMIN__BIND_PORT: String(admin),
        RESTATE_DISABLE_TELEMETRY: 'true',
        RESTATE_LOG_FILTER: 'warn',
      },
    }),
    isReady: async () =>
      (await isOk(`http://${LOOPBACK}:${admin}/health`)) &&
      (await isOk(`http://${LOOPBACK}:${ingress}/restate/health`)),
    line: '',
  });

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
