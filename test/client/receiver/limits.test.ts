// The receiver and senders that misbehave: what they send has an end in size and in time, holds up nobody else, and its
// answer tells them what to do.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { callbackHandler } from '../../../client/receiver/http-handler.ts';
import type { ReceiveCallback } from '../../../client/receiver/receive-callback.ts';

const LIMIT_BYTES = 100;

/** A handler inside somebody's own server, on a path of theirs. */
async function ownServer(receive: ReceiveCallback, bodyTimeoutMs = 60_000) {
  const taken: string[] = [];
  const handle = callbackHandler(
    (headers, body) => {
      taken.push(Buffer.from(body).toString());
      return receive(headers, body);
    },
    { bodyLimitBytes: LIMIT_BYTES, bodyTimeoutMs },
  );
  const closed = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    incoming.once('close', closed.resolve);
    if (incoming.url === '/their/path') void handle(incoming, response);
    else response.writeHead(418).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/their/path`, taken, closed: closed.promise };
}

const takes: ReceiveCallback = async () => ({ status: 204, headers: {} });

test('a handler in a server of somebody else answers as it decides, and leaves other paths alone', async () => {
  const { url, taken } = await ownServer(async () => ({ status: 503, headers: { 'retry-after': '5' } }));
  const answer = await fetch(url, { method: 'POST', body: '{"a": 1}' });
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([503, '5', '']);
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(new URL('/', url), { method: 'POST' })).status).toBe(418);
  expect(taken).toEqual(['{"a": 1}']);
});

test('a body of the very limit is taken, and one byte more is refused with the limit', async () => {
  const { url, taken } = await ownServer(takes);
  const answer = async (bytes: number) => {
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(bytes) });
    return [response.status, await response.text()];
  };
  expect(await answer(LIMIT_BYTES)).toEqual([204, '']);
  expect(await answer(LIMIT_BYTES + 1)).toEqual([
    413,
    'The body is larger than 100 bytes: send a smaller one',
  ]);
  expect(taken).toHaveLength(1);
});

test('a body without an announced length that never ends is refused as soon as it is over the limit', async () => {
  const { url, taken } = await ownServer(takes);
  const endless = request(url, { method: 'POST' });
  endless.on('error', () => undefined);
  endless.write('x'.repeat(LIMIT_BYTES + 1));
  const [answer] = await once(endless, 'response');
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close']);
  expect(taken).toEqual([]);
});

test('a body that does not come is answered 408 in the end, and its connection is closed', async () => {
  const { port, taken } = await ownServer(takes, 50);
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write('POST /their/path HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"');
  let answer = '';
  for await (const text of socket) answer += text;
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(taken).toEqual([]);
});

test('a sender that disconnects in the middle of a body has sent nothing, and others are served', async () => {
  const { port, url, taken, closed } = await ownServer(takes);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end('POST /their/path HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"');
  await closed;
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(204);
  expect(taken).toEqual(['{}']);
});

test('a request on which the receiver fails is answered 500, and does not end the process', async () => {
  const failure = new Error('a defect');
  const { url } = await ownServer(async () => {
    throw failure;
  });
  const told: unknown[] = [];
  const listener = (error: unknown) => void told.push(error);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(500);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(500);
  expect(told).toEqual([]);
});
