// The callback receiver and the codec server in the matrix. Both serve a few paths of Node's own server, which names no routes:
// whether a request was taken shows by its status.
import { randomBytes } from 'node:crypto';
import { codecPaths, startCodecServer } from '../../../client/codec-server/server.ts';
import { readCodecServerSettings } from '../../../client/codec-server/settings.ts';
import { receiverPaths, startReceiver } from '../../../client/receiver/server.ts';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import { bodyOf, signed } from '../../client/receiver/callbacks-sent.ts';
import { CALLBACK_KEY } from '../../client/receiver/flows-and-receiver.ts';
import { connectClient, newTaskQueue } from '../../support/temporal.ts';
import { codecRoutes, receiverRoutes } from '../expected-routes.ts';
import {
  ANOTHER_SITE,
  type Answer,
  answered,
  type Cell,
  type Column,
  type MatrixRequest,
  type MatrixServer,
  type Row,
  spelled,
} from '../matrix.ts';

const ANOTHER_KEY = 'whsec_c29tZSBvdGhlciBrZXkgdGhhbiBvdXJz';
const isRefused = ({ status }: Answer) => status >= 400;

export async function receiverServer(stack: AsyncDisposableStack): Promise<MatrixServer> {
  const settings = readReceiverSettings({
    CALLBACK_PORT: '0',
    LOCKER_CALLBACK_KEY: CALLBACK_KEY,
    LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
  });
  const { client, close } = await connectClient();
  stack.defer(close);
  const receiver = await startReceiver(client, settings);
  stack.defer(() => receiver.close());
  const address = new URL(receiver.url).origin;
  const body = bodyOf('S-4711', 'ReadyForPickup');
  const cellsOf = (path: string): Row['cells'] => {
    if (path.startsWith('/health/'))
      return { 'no credentials': answered(address, 200, { method: 'GET', path }) };
    const asked: MatrixRequest = { method: 'POST', path: path.replace(':', ''), body };
    const forged: MatrixRequest = {
      ...asked,
      headers: { ...signed('S-4711', body, { key: ANOTHER_KEY }).headers, authorization: 'Bearer guessed' },
    };
    return {
      'no credentials': answered(address, 401, asked),
      'wrong credentials': answered(address, 401, forged),
      'another spelling': spelled(address, [{ asked, isAllowed: isRefused }]),
    };
  };
  return plain(receiverPaths, receiverRoutes, cellsOf);
}

export async function codecServer(stack: AsyncDisposableStack): Promise<MatrixServer> {
  const secret = randomBytes(32).toString('hex');
  const server = await startCodecServer(
    readCodecServerSettings({
      LOCKERFLOW_PAYLOAD_KEYS: `2026-01:${randomBytes(32).toString('base64')}`,
      CODEC_SERVER_PORT: '0',
      CODEC_SERVER_SECRET: secret,
    }),
  );
  stack.defer(() => server.close());
  const address = server.url;
  const body = '{"payloads":[]}';
  const cellsOf = (path: string): Row['cells'] => {
    if (path === '/') return { 'no credentials': answered(address, 200, { method: 'GET', path }) };
    const asked: MatrixRequest = { method: 'POST', path, body };
    const cells: Partial<Record<Column, Cell>> = {
      'no credentials': answered(address, 401, asked),
      'another spelling': spelled(address, [{ asked, isAllowed: isRefused }]),
    };
    if (path === '/sign-in')
      return { ...cells, 'wrong credentials': answered(address, 401, { ...asked, body: 'secret=guessed' }) };
    const guessed = { authorization: `Bearer ${'0'.repeat(64)}` };
    const foreign = { authorization: `Bearer ${secret}`, ...ANOTHER_SITE };
    return {
      ...cells,
      'wrong credentials': answered(address, 401, { ...asked, headers: guessed }),
      'another site': answered(address, 403, { ...asked, headers: foreign }),
    };
  };
  return plain(codecPaths, codecRoutes, cellsOf);
}

function plain(
  paths: readonly string[],
  table: Readonly<Record<string, string>>,
  cellsOf: (path: string) => Row['cells'],
): MatrixServer {
  const routeOf = (path: string) => Object.keys(table).find((route) => route.split(' ')[1] === path) ?? path;
  const rows = paths.map((path) => ({
    route: routeOf(path),
    access: table[routeOf(path)] ?? 'unknown',
    cells: cellsOf(path),
  }));
  return { registered: paths.map(routeOf), expected: Object.keys(table), rows };
}
