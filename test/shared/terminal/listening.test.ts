// What a program says that cannot listen where its settings tell it to. Ports in use are in long/shared/terminal/port-in-use.test.ts.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { addressOf, listening, notListeningAt } from '../../../shared/terminal/listening.ts';

const refusal = (host: string, port: number, listen: Parameters<typeof listening>[2]) =>
  listening({ host, port }, 'SERVICE', listen).then(
    () => 'it listens',
    (error: Error) => error.message,
  );

// Of the addresses that are kept for documents: no machine has it.
const ELSEWHERE = '203.0.113.7';
const elsewhere = `"${ELSEWHERE}" is no address of this machine: set SERVICE_HOST to one, as 127.0.0.1, or 0.0.0.0 for all`;

test('an address of another machine is named with its setting', async () => {
  const server = createServer();
  expect(await refusal(ELSEWHERE, 0, (at) => once(server.listen(at), 'listening'))).toBe(elsewhere);
});

test.each([
  ['Temporal’s library', 'Cannot assign requested address (os error 99)', elsewhere],
  [
    'Node, of IPv6 where there is none',
    `listen EAFNOSUPPORT: address family not supported ${ELSEWHERE}`,
    elsewhere,
  ],
  ['Node, of a name', `getaddrinfo ENOTFOUND ${ELSEWHERE}`, elsewhere],
  [
    'Node, of a port of the system',
    `listen EACCES: permission denied ${ELSEWHERE}:80`,
    'Port 80 is not free for this user: set SERVICE_PORT to one from 1024 on',
  ],
  ['anything else', 'it rains', 'it rains'],
])('so is what %s says', async (_whose, message, words) => {
  expect(await refusal(ELSEWHERE, 80, () => Promise.reject(new Error(message)))).toBe(words);
});

test('localhost is one address: a second server of Fastify, for ::1, would have no bounds', async () => {
  const address = { host: 'localhost', port: 0 };
  expect(await listening(address, 'SERVICE', async ({ host }) => host)).toBe('127.0.0.1');
});

test('a setting that has both keeps its port', () => {
  const setting = 'SERVICE_METRICS_ADDRESS';
  const cause = new Error('listen EADDRNOTAVAIL: address not available');
  const { message } = notListeningAt(`${ELSEWHERE}:9464`, setting, cause) as Error;
  expect(message).toContain(`set ${setting} to one, as 127.0.0.1:9464, or 0.0.0.0:9464 for all`);
});

test.each([
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
])('%s is a host and a port', (text, address) => {
  expect(addressOf(text)).toEqual(address);
});
