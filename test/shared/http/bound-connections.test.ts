// Answers that nobody reads, and connections that somebody hoards, at a bare server.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  beyond,
  boundConnections,
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type CutConnections,
} from '../../../shared/http/bound-connections.ts';

const WITHIN = { timeout: 30_000 };
// More than the network takes of what nobody reads.
const ANSWER = 'x'.repeat(8_000_000);

async function start(changes: Partial<ConnectionBounds>, isProxy?: () => boolean) {
  const cuts: CutConnections[] = [];
  let upgrades = 0;
  let begun = 0;
  const server = createServer((request, response) => {
    begun += 1;
    if (request.url === '/upgrade') {
      bounded.upgraded(request);
      upgrades += 1;
    }
    bounded.belongsTo(request, request.headers.authorization ?? 'nobody');
    const answer = request.url === '/short' ? 'short' : ANSWER;
    if (request.url === '/stream') response.write(answer);
    else if (request.method === 'GET') response.end(answer);
    else request.resume().once('end', () => response.end(answer));
  });
  const bounded = boundConnections(server, {
    bounds: { ...CONNECTION_BOUNDS, ...changes },
    ...(isProxy && { isProxy }),
    onCut: (cut) => cuts.push(cut),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const opened = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    return socket;
  };
  /** Asks, and never reads. */
  const unread = (client: string, requests = 1, path = '/') => {
    const socket = opened().pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${client}\r\n\r\n`.repeat(requests));
    return socket;
  };
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  // Until the server has begun with its request, a connection is idle.
  return {
    cuts,
    opened,
    unread,
    open,
    begun: () => begun,
    upgraded: () => upgrades,
    url: `http://127.0.0.1:${port}`,
  };
}

test('an answer that nobody reads is cut after its time, one that is read is not', async () => {
  const { cuts, unread, open, url } = await start({ readMs: 600, slowestBytesOfMs: ANSWER.length });
  unread('anna');
  await expect.poll(() => cuts, WITHIN).toEqual([{ reason: 'unreadForTooLong', client: 'anna', count: 1 }]);
  await expect.poll(open, WITHIN).toBe(0);
  expect(await (await fetch(url)).text()).toHaveLength(ANSWER.length);
});

test('a stream that goes on counts as an answer does', async () => {
  const { unread, open, cuts } = await start({ unsentOfClient: 20_000_000 });
  for (let count = 0; count < 5; count++) unread('greedy', 1, '/stream');
  // While they come, two are open for a moment too.
  await expect.poll(() => cuts[0], WITHIN).toMatchObject({ reason: 'unreadOfClient', client: 'greedy' });
  await expect.poll(open, WITHIN).toBe(2);
});

test('answers that end between two looks are bounded as they end', async () => {
  const { cuts, unread, open } = await start({ unsentOfClient: 2.5 * ANSWER.length });
  // The loop has no turn for a timer before all of them are read.
  for (let count = 0; count < 20; count++) unread('anna', 900);
  await expect.poll(() => cuts, WITHIN).toMatchObject([{ reason: 'unreadOfClient', client: 'anna' }]);
  await expect.poll(open, WITHIN).toBeLessThanOrEqual(3);
});

test('beyond the bound of all, who has most is cut, the newest answers first', () => {
  const answers = [
    ...[1, 2, 3].map((id) => ({ id, client: 'anna', bytes: 10 })),
    { id: 4, client: 'bram', bytes: 10 },
    { id: 5, client: 'anna', bytes: 10 },
  ];
  expect(beyond(answers, { unsentOfClient: 40, unsent: 50 })).toEqual([]);
  const cut = beyond(answers, { unsentOfClient: 30, unsent: 20 });
  expect(cut.map(({ id, reason }) => [id, reason])).toEqual([
    [5, 'unreadOfClient'],
    [3, 'unreadOfAll'],
    [2, 'unreadOfAll'],
  ]);
});

test('a network has a bounded number of connections, and those that are idle make room for new ones', async () => {
  const { cuts, opened, unread, open, begun } = await start({ connectionsOfNetwork: 3 });
  const [busy, ...idle] = [unread('anna'), opened(), opened()];
  await expect.poll(open, WITHIN).toBe(3);
  await expect.poll(begun, WITHIN).toBe(1);
  const more = [unread('anna'), unread('anna')];
  await expect.poll(() => idle.map(({ closed }) => closed), WITHIN).toEqual([true, true]);
  const last = opened();
  await expect.poll(() => last.closed, WITHIN).toBe(true);
  expect([busy, ...more].map((socket) => socket?.closed)).toEqual([false, false, false]);
  expect(cuts).toEqual([{ reason: 'connectionsOfNetwork', client: '127.0.0.1', count: 1 }]);
});

test('a request that never ends makes room too, behind those that are idle', async () => {
  const { cuts, opened, unread, begun } = await start({ connectionsOfNetwork: 3 });
  const half = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of it';
  const sending = [opened(), opened(), opened()];
  for (const [index, socket] of sending.entries()) {
    socket.write(half);
    await expect.poll(begun, WITHIN).toBe(index + 1);
  }
  const other = unread('anna');
  await expect.poll(() => sending.map(({ closed }) => closed), WITHIN).toEqual([true, false, false]);
  expect(other.closed).toBe(false);
  expect(cuts).toEqual([{ reason: 'connectionsOfNetwork', client: '127.0.0.1', count: 1 }]);
});

test('a proxy has as many as there are, and the network with the most makes room', async () => {
  const { cuts, opened, open } = await start({ connectionsOfNetwork: 3, connections: 5 }, () => true);
  const sockets = Array.from({ length: 7 }, opened);
  await expect
    .poll(() => sockets.map(({ closed }) => closed), WITHIN)
    .toEqual([...[true, true], ...[false, false, false, false, false]]);
  expect(await open()).toBe(5);
  expect(cuts).toEqual([{ reason: 'connections', client: '127.0.0.1', count: 1 }]);
});

test('an answer that is read slowly has the time that it takes', async () => {
  const { cuts, unread, open } = await start({ readMs: 100, slowestBytesOfMs: ANSWER.length / 3_600_000 });
  unread('anna');
  await setTimeout(1_500);
  expect([cuts, await open()]).toEqual([[], 1]);
});

test('one that has ended, and one that has become a WebSocket, count no more', async () => {
  const { cuts, opened, open, upgraded } = await start({ connectionsOfNetwork: 2 });
  const first = opened();
  const second = opened();
  second.write('GET /upgrade HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(upgraded, WITHIN).toBe(1);
  opened();
  await expect.poll(open, WITHIN).toBe(3);
  first.destroy();
  await expect.poll(open, WITHIN).toBe(2);
  opened();
  await expect.poll(open, WITHIN).toBe(3);
  expect(cuts).toEqual([]);
});
