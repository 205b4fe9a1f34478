// @module-tag invariant
// The receiver while Temporal cannot be reached: it is told to come again, nothing is promised, and it says so of itself.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Received } from '../../../client/receiver/receive-callback.ts';
import { type Receiver, startReceiver } from '../../../client/receiver/server.ts';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import { freePort } from '../../../local/ports.ts';
import { readSettings } from '../../../service/settings.ts';
import { CONNECTION_BOUNDS } from '../../../shared/http/bound-connections.ts';
import { isFirstClosed } from '../../support/idle-connections.ts';
import { bodyOf, post, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

/** A client of the Temporal at this port, without the library's own repetitions, which only delay the same end. */
function clientOf(port: number): Client {
  const connection = Connection.lazy({ address: `127.0.0.1:${port}`, interceptors: [] });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

/** It ends with the test. */
async function receiverAt(
  client: Client,
  options: Partial<Parameters<typeof startReceiver>[1]> = {},
  variables: Readonly<Record<string, string>> = {},
): Promise<Receiver> {
  const all = { CALLBACK_PORT: '0', LOCKER_CALLBACK_KEY: CALLBACK_KEY, ...variables };
  const receiver = await startReceiver(client, { ...readReceiverSettings(all), ...options });
  onTestFinished(() => receiver.close());
  return receiver;
}

test('a callback that Temporal cannot take gets 503 with Retry-After, without a reason', async () => {
  const received: Received[] = [];
  const onReceived = (one: Received) => void received.push(one);
  const receiver = await receiverAt(clientOf(await freePort()), { onReceived });
  const answer = await post(receiver.url, signed('uid', bodyOf('uid', 'Completed')));
  expect([answer.status, await answer.text()]).toEqual([503, '']);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(received).toMatchObject([{ became: 'notTaken', shipmentUid: 'uid', error: expect.any(Error) }]);
  // A message of a type that nobody knows is promised no sooner.
  const other = await post(receiver.url, signed('none', '{"messageType": "LockerCleaned", "message": {}}'));
  expect(other.status).toBe(503);

  const health = async (path: string) => (await fetch(new URL(path, receiver.url))).status;
  expect([await health('/health/live'), await health('/health/ready')]).toEqual([200, 503]);
});

test.each([
  ['of a network have a bound', '', true],
  ['of a proxy that is named have none of their own', '127.0.0.0/8', false],
])('connections %s', async (_, proxies, isClosed) => {
  const connectionBounds = { ...CONNECTION_BOUNDS, connectionsOfNetwork: 1 };
  const variables = { CALLBACK_TRUSTED_PROXIES: proxies };
  const receiver = await receiverAt(clientOf(await freePort()), { connectionBounds }, variables);
  expect(await isFirstClosed(receiver.url)).toBe(isClosed);
});

test('the answer comes before the sender gives up, however long the library tries', async () => {
  // Taken, and never answered: no library could try for longer.
  const silent = createServer(() => {});
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const receiver = await receiverAt(clientOf(port), { answerWithinMs: 200 });
  const { headers, body } = signed('uid', bodyOf('uid', 'Completed'));
  const { timeoutMs } = readSettings({ DATABASE_URL: 'postgres://nobody@127.0.0.1/nowhere' }).callbacks;
  const giveUp = AbortSignal.timeout(timeoutMs);
  expect((await fetch(receiver.url, { method: 'POST', headers, body, signal: giveUp })).status).toBe(503);
});

test('however many ask whether the receiver is ready, Temporal is asked once a second', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  const asked = vi.spyOn(client.workflowService, 'describeNamespace');
  const receiver = await receiverAt(client);
  const begin = performance.now();
  const ask = async () => (await fetch(new URL('/health/ready', receiver.url))).status;
  const statuses = await Promise.all(Array.from({ length: 100 }, ask));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + (performance.now() - begin) / 1_000);
});
