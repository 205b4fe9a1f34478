// The connection on which an instance hears of notifications: what happens to it at a stop.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Listener } from '../../../service/storage/listener.ts';

test('a listener that is stopped while it connects has stopped at once', async () => {
  // It takes connections, and never answers.
  const server = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const errors: unknown[] = [];
  const listener = new Listener({
    databaseUrl: `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`,
    channel: 'news',
    applicationName: 'a test',
    onWake: () => undefined,
    onError: (error) => errors.push(error),
  });
  const connected = once(server, 'connection');
  listener.start();
  await connected;
  await listener.stop();
  expect(listener.isListening).toBe(false);
  expect(errors).toEqual([]);
}, 30_000);
