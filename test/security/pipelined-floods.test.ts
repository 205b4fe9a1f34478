// What a stranger can do to each server with requests alone: 20 connections that send some 900 pipelined requests each and
// read nothing. The figures are printed with FLOOD_FIGURES=1.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TOKEN_PATH } from '../../contract/index.ts';
import type { Child } from '../../local/child-process.ts';
import { freePort } from '../../local/ports.ts';
import { listeningPrograms } from '../support/processes/listening-programs.ts';
import { nodeProgramOfTest } from '../support/processes/node-program.ts';
import { codecRoutes, consoleRoutes, receiverRoutes, stagingRoutes, wallRoutes } from './expected-routes.ts';

const CONNECTIONS = 20;
const REQUESTS = 900;
// What V8 keeps until it collects; a server without bounds takes from 500 MB to more than the machine has.
const MOST_MEGABYTES = 200;

interface FloodedServer {
  readonly program: keyof typeof listeningPrograms;
  readonly setting: string;
  readonly health: string;
  /** Whoever may call them. */
  readonly routes: readonly string[];
  /** Its largest file, which `npm test` asks for. */
  readonly largest: string;
}

const openIn = (table: Readonly<Record<string, string>>): string[] =>
  Object.keys(table).filter((route) => table[route] === 'open');

const metrics = { health: '/metrics', routes: ['GET /metrics'], largest: 'GET /metrics' };
const health = '/health/live';

const servers: readonly FloodedServer[] = [
  {
    program: 'console',
    setting: 'CONSOLE_PORT',
    health,
    routes: [...openIn(consoleRoutes), 'GET /openapi.json', 'GET /v1/nowhere', 'GET /assets/nowhere'],
    largest: 'GET /docs/:version/swagger-ui-bundle.js',
  },
  {
    program: 'service',
    setting: 'SERVICE_PORT',
    health,
    routes: [...openIn(stagingRoutes), 'POST /v1/Shipment/GetShipments', 'GET /nowhere'],
    largest: 'GET /docs/:version/swagger-ui-bundle.js',
  },
  {
    program: 'receiver',
    setting: 'CALLBACK_PORT',
    health,
    routes: [...Object.keys(receiverRoutes), 'GET /nowhere'],
    largest: 'POST /callbacks',
  },
  {
    program: 'wall',
    setting: 'WALL_PORT',
    health,
    routes: [...openIn(wallRoutes), 'GET /nowhere'],
    largest: 'GET /walls/:pupUid/events',
  },
  {
    program: 'codecServer',
    setting: 'CODEC_SERVER_PORT',
    health: '/',
    routes: [...Object.keys(codecRoutes), 'GET /nowhere'],
    largest: 'GET /',
  },
  {
    program: 'worker',
    setting: 'WORKER_PORT',
    health,
    routes: ['GET /health/live', 'GET /health/ready', 'GET /nowhere'],
    largest: 'GET /health/ready',
  },
  { program: 'service', setting: 'SERVICE_METRICS_ADDRESS', ...metrics },
  { program: 'receiver', setting: 'CALLBACK_METRICS_ADDRESS', ...metrics },
  // Served by Temporal's library, in a thread of its own.
  { program: 'worker', setting: 'WORKER_METRICS_ADDRESS', ...metrics, largest: '' },
];

const floods = servers.flatMap(({ routes, largest, ...server }) =>
  routes.map((route) => ({ ...server, route, isLargest: route === largest })),
);
const title = '$program answers while nobody reads what it answers to $route';

test.each(floods.filter(({ isLargest }) => isLargest))(title, { timeout: 120_000 }, staysUp);
test.each(floods.filter(({ isLargest }) => !isLargest))(title, { tags: 'long', timeout: 120_000 }, staysUp);

type Flood = (typeof floods)[number];

// Each has a process of its own: no system lets it begin its peak anew.
async function staysUp(flood: Flood): Promise<void> {
  const { program, setting, route } = flood;
  const { entry, variables } = listeningPrograms[program];
  const port = await freePort();
  const child = nodeProgramOfTest(
    ['--import', './test/support/processes/report-load.ts', ...entry.split(' ')],
    {
      variables: {
        ...(await variables()),
        [setting]: setting.endsWith('_ADDRESS') ? `127.0.0.1:${port}` : String(port),
      },
      hasChannel: true,
    },
  );
  await child.until(() => child.said().includes(`:${port}`));
  const { peakMegabytes: idle } = await loadOf(child);
  const { peakMegabytes: peak, silentMs } = await flooded(child, port, flood);
  if (process.env.FLOOD_FIGURES)
    process.stderr.write(
      `${[program, route, `${idle} MB`, `${peak} MB`, `${silentMs} ms silent`].join('\t')}\n`,
    );
  expect(peak - idle).toBeLessThan(MOST_MEGABYTES);
}

interface Load {
  readonly peakMegabytes: number;
  /** Since it was asked last. */
  readonly silentMs: number;
}

async function loadOf(child: Child): Promise<Load> {
  const answer = child.message();
  child.send('load');
  return (await answer) as Load;
}

async function flooded(
  child: Child,
  port: number,
  { health, route }: { readonly health: string; readonly route: string },
): Promise<Load> {
  const flood = requestOf(route).repeat(REQUESTS);
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause().write(flood);
    return socket;
  });
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(end);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  // Each is a turn of the server's event loop at least, after the flood: it has read all that it will.
  for (let turn = 0; turn < 50; turn++) {
    const answer = await fetch(`http://127.0.0.1:${port}${health}`);
    await answer.text();
    expect(answer.status, route).toBe(200);
  }
  const load = await loadOf(child);
  end();
  return load;
}

function requestOf(route: string): string {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(':version', '1').replace(':pupUid', 'pup-1').replace('*', '');
  const type = path === TOKEN_PATH ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = method === 'POST' ? `Content-Type: ${type}\r\nContent-Length: 2\r\n\r\n{}` : '\r\n';
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${body}`;
}
