// Pipelined requests at a bare server: each is answered, in order, and none begins before the one ahead of it has gone.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { serializeRequests } from '../../../shared/http/serialize-requests.ts';

const WITHIN = { timeout: 30_000 };

async function start(handle: RequestListener, most = 10_000) {
  const server = createServer(handle);
  let [open, mostOpen, refused] = [0, 0, 0];
  serializeRequests(server, {
    most,
    onBegin(response) {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      response.once('close', () => {
        open -= 1;
      });
    },
    onTooMany({ socket }) {
      refused += 1;
      socket.destroy();
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const opened = (): Socket => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { opened, mostOpen: () => mostOpen, refused: () => refused };
}

const get = (path: string | number, headers = '') => `GET /${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const LAST = 'Connection: close\r\n';
const answers = async (socket: Socket) =>
  [...(await text(socket)).matchAll(/^answer .*$/gm)].map(([line]) => line.slice('answer '.length));

test('thousands of pipelined requests get their answers, in their order, one at a time', async () => {
  const { opened, mostOpen } = await start(({ url }, response) => {
    setImmediate(() => response.end(`answer ${url}\n`));
  });
  const socket = opened();
  const paths = Array.from({ length: 5_000 }, (_, index) => `${index}`);
  socket.write(paths.map((path) => get(path)).join('') + get('last', LAST));
  expect(await answers(socket)).toEqual([...paths, 'last'].map((path) => `/${path}`));
  expect(mostOpen()).toBe(1);
});

test('bodies of pipelined requests arrive whole, also those that are longer than what Node reads ahead', async () => {
  const { opened } = await start(async (request, response) => {
    response.end(`answer ${request.url} ${(await text(request)).length}\n`);
  });
  const socket = opened();
  const post = (path: string, length: number, headers = '') =>
    `POST /${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${length}\r\n\r\n${'b'.repeat(length)}`;
  socket.write(post('a', 5) + post('b', 3_000_000) + get('c') + post('d', 700_000) + post('e', 1, LAST));
  expect(await answers(socket)).toEqual(['/a 5', '/b 3000000', '/c 0', '/d 700000', '/e 1']);
});

test('an answer that nobody reads keeps the requests behind it from beginning', async () => {
  const begun: (string | undefined)[] = [];
  const { opened } = await start(({ url }, response) => {
    begun.push(url);
    response.end('x'.repeat(20_000_000));
  });
  const unread = opened().pause();
  unread.write(get('first').repeat(4));
  const other = opened();
  other.write(get('other', LAST));
  await text(other);
  expect(begun).toEqual(['/first', '/other']);
  unread.resume();
  await expect.poll(() => begun.length, WITHIN).toBe(5);
});

test('what is behind an answer that closes its connection never begins', async () => {
  const begun: (string | undefined)[] = [];
  const { opened } = await start(({ url }, response) => {
    begun.push(url);
    if (url === '/closes') response.setHeader('connection', 'close');
    response.end(`answer ${url}\n`);
  });
  const socket = opened();
  socket.write(get('a') + get('closes') + get('b') + get('c'));
  expect(await answers(socket)).toEqual(['/a', '/closes']);
  expect(begun).toEqual(['/a', '/closes']);
});

test('beyond the bound of all, the connection that sends one more ends, and its room is free again', async () => {
  const held: (() => void)[] = [];
  const { opened, refused } = await start(({ url }, response) => {
    if (url === '/held') held.push(() => response.end(`answer ${url}\n`));
    else response.end(`answer ${url}\n`);
  }, 10);
  const [first, second] = [opened(), opened()];
  first.write(get('held') + get('a').repeat(7) + get('b', LAST));
  await expect.poll(() => held.length, WITHIN).toBe(1);
  second.write(get('held') + get('a').repeat(20));
  await once(second, 'close');
  expect(refused()).toBe(1);
  held[0]?.();
  expect(await answers(first)).toEqual(['/held', ...Array<string>(7).fill('/a'), '/b']);
  const third = opened();
  third.write(get('a').repeat(10) + get('last', LAST));
  expect(await answers(third)).toHaveLength(11);
});
