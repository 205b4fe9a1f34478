// The addresses to which callbacks may go, in every spelling. The service checks an address when a tenant configures it, and
// again when a sender connects to it.
import { promises as dns, type LookupAddress, type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Reach, reachOf } from '../../../../service/callbacks/configuration/address-reach.ts';
import { requireCallbackAddress } from '../../../../service/callbacks/configuration/callback-address.ts';
import { guardedAgent } from '../../../../service/callbacks/delivery/callback-client.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { type CallbackTest, createCallbackTest, until } from '../support.ts';

/** As a text is read: words between blanks. */
const wordsOf = (text: string) => text.trim().split(/\s+/);

const publicAddresses = `
  93.184.216.34 8.8.8.8 172.32.0.1 100.128.0.1 2606:2800:220:1::1 ::ffff:8.8.8.8
`;
const privateAddresses = `
  127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1
  ::1 fd12:3456::1 fec0::1 ::ffff:127.0.0.1 ::ffff:a00:1 ::ffff:0:127.0.0.1 ::127.0.0.1
  64:ff9b::10.0.0.1 64:ff9b:1::1 2002:7f00:1::1 2002:c0a8:101::
`;
const neverAddresses = `
  169.254.169.254 169.254.0.1 0.0.0.0 0.1.2.3 100.100.100.200 168.63.129.16 192.0.0.192
  224.0.0.1 255.255.255.255 240.0.0.1 :: fe80::1 fe80::1%eth0 febf::1 fd00:ec2::254 ff02::1
  ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::1 2001::1
`;

test.each<[Reach, string]>([
  ['public', publicAddresses],
  ['private', privateAddresses],
  ['never', neverAddresses],
])('%s addresses are told by reach, also those that carry another one', (reach, addresses) => {
  for (const address of wordsOf(addresses)) expect(reachOf(address), address).toBe(reach);
});

const spellingsOfLoopback = wordsOf(`
  http://127.0.0.1/ http://127.1/ http://2130706433/ http://0x7f000001/ http://0x7f.0.0.1/
  http://0177.0.0.1/ http://017700000001/ http://127.0.0.1./ http://１２７.０.０.１/ http://localhost/
  http://LOCALHOST/ http://[::1]/ http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/
  http://[::ffff:7f00:1]/
`);
const spellingsOfMetadata = wordsOf(`
  http://169.254.169.254/latest/meta-data http://2852039166/ http://0xa9fea9fe/
  http://0xa9.0xfe.0xa9.0xfe/ http://0251.0376.0251.0376/ http://169.254.43518/
  http://[::ffff:169.254.169.254]/ http://[::ffff:a9fe:a9fe]/ http://[64:ff9b::a9fe:a9fe]/
  http://[fd00:ec2::254]/
`);

// assumptions: Callbacks, Target addresses
test.each(spellingsOfLoopback)('%s is refused where private addresses are, and else allowed', async (url) => {
  await expect(requireCallbackAddress(url, [])).rejects.toThrow('loopback or private');
  await expect(requireCallbackAddress(url, 'any')).resolves.toBeUndefined();
});

test('the addresses of a name are not shown to the tenant', async () => {
  const refusal = await requireCallbackAddress('http://localhost:8090/', []).catch(String);
  expect(refusal).toMatch(/localhost has a .*private.* address/);
  expect(refusal).not.toMatch(/127\.0\.0\.1|::1/);
});

// assumptions: Callbacks, Target addresses
test.each(spellingsOfMetadata)('%s is refused everywhere', async (url) => {
  await expect(requireCallbackAddress(url, 'any')).rejects.toThrow('metadata, link-local');
  await expect(requireCallbackAddress(url, [])).rejects.toThrow('metadata, link-local');
});

test('a name that cannot be resolved now may be configured: connecting judges it', async () => {
  await expect(requireCallbackAddress('https://nowhere.invalid/callbacks', [])).resolves.toBeUndefined();
});

test('only a name that an operator has named takes one of the few threads in which the system resolves names', async () => {
  const system = vi.spyOn(dns, 'lookup').mockRejectedValue(new Error('nobody knows it'));
  onTestFinished(() => system.mockRestore());
  await requireCallbackAddress('https://nowhere.invalid/', ['receiver.internal']);
  expect(system).not.toHaveBeenCalled();
  await requireCallbackAddress('https://receiver.internal/', ['receiver.internal']);
  expect(system).toHaveBeenCalledOnce();
  const agent = guardedAgent({ privateHosts: [], connectTimeoutMs: 30_000 });
  await expect(request('http://nowhere.invalid/', { dispatcher: agent })).rejects.toThrow(/^queryA/);
  await agent.close();
});

/** A lookup that gives these addresses for every name. */
const answering = (addresses: readonly LookupAddress[]) =>
  ((
    _hostname: string,
    _options: LookupOptions,
    callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
  ) => callback(null, addresses)) as unknown as typeof import('node:dns').lookup;

const loopback = { address: '127.0.0.1', family: 4 };
const publicAddress = { address: '93.184.216.34', family: 4 };

/** Listens on loopback and keeps the text that came over each connection. */
async function startListening() {
  const connections: string[] = [];
  const ended: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    const index = connections.push('') - 1;
    ended.push(once(socket, 'close'));
    // A client that sends a request here gets no answer: the connection is closed.
    socket.setEncoding('utf8').on('data', (text: string) => {
      connections[index] += text;
      socket.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => void (await Promise.all([...ended, server[Symbol.asyncDispose]()]));
  return { port: (server.address() as AddressInfo).port, connections, [Symbol.asyncDispose]: close };
}

async function postTo(port: number, answer: readonly LookupAddress[]): Promise<void> {
  const lookup = answering(answer);
  const agent = guardedAgent({ connectTimeoutMs: 1_000, lookup, privateHosts: [] });
  const url = `http://rebound.example:${port}/callbacks`;
  const asked = request(url, { dispatcher: agent, method: 'POST', body: 'secret' });
  await expect(asked).rejects.toThrow('127.0.0.1 is a loopback or private address');
  await agent.close();
}

test('a name that means a private address by the time of the connection is not connected to', async () => {
  await using listening = await startListening();
  for (const answer of [[loopback], [publicAddress, loopback], [loopback, publicAddress]])
    await postTo(listening.port, answer);
  expect(listening.connections).toEqual([]);
});

test('a connection that ends elsewhere than at the address that was judged is let go of before anything is sent', async () => {
  await using listening = await startListening();
  let read = 0;
  // Each read gives another address: a public one to the check, and a private one to the connection.
  const shifting = {
    family: 4,
    get address() {
      return read++ === 0 ? publicAddress.address : loopback.address;
    },
  };
  await postTo(listening.port, [shifting]);
  await vi.waitUntil(() => listening.connections.length > 0, { timeout: 60_000 });
  expect(listening.connections).toEqual(['']);
});

test('a sender sends nothing to a configured address that is refused by now, and says why', async () => {
  await using service = await createCallbackTest();
  await using receiver = await startReceiver();
  const { port, pathname } = new URL(receiver.url);
  const sender = service.sender({ privateHosts: [] });
  for (const host of ['localhost', '127.0.0.1', '2130706433', '0x7f000001', '[::ffff:7f00:1]']) {
    await service.configure({ url: `http://${host}:${port}${pathname}`, authType: 'None' });
    const shipmentUid = await service.shipment();
    await until(async () => (await failureOf(service, shipmentUid)) !== undefined);
    expect(await failureOf(service, shipmentUid), host).toMatch(/is a loopback or private address$/);
  }
  await sender.stop();
  expect(receiver.received).toEqual([]);
});

async function failureOf({ database }: CallbackTest, shipmentUid: string): Promise<string | undefined> {
  const { rows } = await sql<{ error: string }>`
    select error from callback_failures join shipment_events using (event_id) where shipment_uid = ${shipmentUid}
  `.execute(database);
  return rows[0]?.error;
}

test('in production a host that is named may be at a private address, at its port, and no other host', async () => {
  await using listening = await startListening();
  const named = `receiver.internal:${listening.port}`;
  for (const [privateHosts, isAllowed] of [
    [[named], true],
    [['receiver.internal'], true],
    [['receiver.internal:1', 'other.internal', `other.internal:${listening.port}`], false],
    [[], false],
  ] as const) {
    const lookup = answering([loopback]);
    const agent = guardedAgent({ privateHosts, connectTimeoutMs: 1_000, lookup });
    const asked = request(`http://${named}/callbacks`, { dispatcher: agent, method: 'POST', body: 'told' });
    // The server that listens there does not speak HTTP.
    await expect(asked).rejects.toThrow(isAllowed ? /closed|socket/ : 'is a loopback or private address');
    await agent.close();
  }
  expect(listening.connections.map((text) => text.startsWith('POST /callbacks'))).toEqual([true, true]);
});

test('a host that is named is never at a metadata or link-local address', async () => {
  const lookup = answering([{ address: '169.254.169.254', family: 4 }]);
  const agent = guardedAgent({ privateHosts: ['receiver.internal'], connectTimeoutMs: 1_000, lookup });
  const asked = request('http://receiver.internal/', { dispatcher: agent });
  await expect(asked).rejects.toThrow('is a metadata, link-local or reserved address');
  await agent.close();
});
