// Answers that nobody reads, and connections that somebody hoards, at a bare server.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  beyond,
  boundConnections,
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type CutConnections,
} from '../../../runtime/http/bound-connections.ts';

const ANSWER = 'x'.repeat(8_000_000);

async function start(changes: Partial<ConnectionBounds>, isProxy?: () => boolean) {
  const cuts: CutConnections[] = [];
  const server = createServer((request, response) => {
    bounded.belongsTo(request, request.headers.authorization ?? 'nobody');
    response.end(request.url === '/short' ? 'short' : ANSWER);
  });
  const bounded = boundConnections(server, {
    bounds: { ...CONNECTION_BOUNDS, ...changes },
    ...(isProxy && { isProxy }),
    tell: (cut) => cuts.push(cut),
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
  const unread = (client: string) => {
    const socket = opened().pause();
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nAuthorization: ${client}\r\n\r\n`);
    return socket;
  };
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { cuts, opened, unread, open, url: `http://127.0.0.1:${port}` };
}

test('an answer that nobody reads is cut after its time, one that is read is not', async () => {
  const { cuts, unread, open, url } = await start({ readMs: 600 });
  unread('anna');
  await expect.poll(open, { timeout: 10_000 }).toBe(0);
  expect(cuts).toEqual([{ reason: 'unreadForTooLong', client: 'anna', count: 1 }]);
  expect(await (await fetch(url)).text()).toHaveLength(ANSWER.length);
});

test('a client that reads nothing keeps a bounded number of bytes, and another client is not concerned', async () => {
  const { cuts, unread, open, url } = await start({ unsentOfClient: 2.5 * ANSWER.length });
  for (let index = 0; index < 12; index++) unread('anna');
  unread('bram');
  await expect.poll(open, { timeout: 10_000 }).toBeLessThanOrEqual(4);
  await expect.poll(open, { timeout: 10_000 }).toBe(3);
  expect(cuts).toEqual([{ reason: 'unreadOfClient', client: 'anna', count: 1 }]);
  expect(await (await fetch(`${url}/short`)).text()).toBe('short');
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

test('one address has a bounded number of connections, a proxy has not', async () => {
  const { cuts, opened, open } = await start({ connectionsOfAddress: 3 });
  const sockets = Array.from({ length: 5 }, opened);
  await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(2);
  expect(await open()).toBe(3);
  expect(cuts).toEqual([{ reason: 'connectionsOfAddress', client: '127.0.0.1', count: 1 }]);
  const proxied = await start({ connectionsOfAddress: 3 }, () => true);
  Array.from({ length: 5 }, proxied.opened);
  await expect.poll(proxied.open).toBe(5);
});
