// Where callbacks may go, in every spelling of an address, when it is configured and when it is connected to.
import type { LookupAddress, LookupOptions } from 'node:dns';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { guardedAgent } from '../../../service/callbacks/guarded-agent.ts';
import { requireTarget } from '../../../service/callbacks/require-target.ts';
import { type Reach, reachOf } from '../../../service/callbacks/target-address.ts';
import { startReceiver } from '../../support/receiver.ts';

test.each<[Reach, string[]]>([
  [
    'public',
    ['93.184.216.34', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '::ffff:8.8.8.8'],
  ],
  [
    'private',
    [
      '127.0.0.1',
      '127.255.255.254',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
      '198.18.0.1',
      '::1',
      'fd12:3456::1',
      'fec0::1',
      '::ffff:127.0.0.1',
      '::ffff:a00:1',
      '::127.0.0.1',
      '64:ff9b::10.0.0.1',
      '64:ff9b:1::1',
      '2002:7f00:1::1',
      '2002:c0a8:101::',
    ],
  ],
  [
    'never',
    [
      '169.254.169.254',
      '169.254.0.1',
      '0.0.0.0',
      '0.1.2.3',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '224.0.0.1',
      '255.255.255.255',
      '240.0.0.1',
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'febf::1',
      'fd00:ec2::254',
      'ff02::1',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '2001::1',
    ],
  ],
])('%s addresses are told by reach, also those that carry another one', (reach, addresses) => {
  for (const address of addresses) expect(reachOf(address), address).toBe(reach);
});

test('what is no address is a programming error', () => {
  expect(() => reachOf('localhost')).toThrow(TypeError);
});

const spellingsOfLoopback = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
];
const spellingsOfMetadata = [
  'http://169.254.169.254/latest/meta-data',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0xa9.0xfe.0xa9.0xfe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
];

test.each(spellingsOfLoopback)('%s is refused where private addresses are, and else allowed', async (url) => {
  await expect(requireTarget(url, false)).rejects.toThrow('loopback or private');
  await expect(requireTarget(url, true)).resolves.toBeUndefined();
});

test.each(spellingsOfMetadata)('%s is refused everywhere', async (url) => {
  await expect(requireTarget(url, true)).rejects.toThrow('metadata, link-local');
  await expect(requireTarget(url, false)).rejects.toThrow('metadata, link-local');
});

test('a name that cannot be resolved now may be configured: connecting judges it', async () => {
  await expect(requireTarget('https://nowhere.invalid/callbacks', false)).resolves.toBeUndefined();
});

/** A name server whose answer changes from one question to the next. */
function rebinding(...answers: readonly LookupAddress[][]) {
  let asked = 0;
  const lookup = (
    _hostname: string,
    _options: LookupOptions,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => {
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    callback(null, answer);
  };
  return lookup as unknown as typeof import('node:dns').lookup;
}

const loopback = { address: '127.0.0.1', family: 4 };
const publicAddress = { address: '93.184.216.34', family: 4 };

test('a name that means a private address by the time of the connection is not connected to', async () => {
  await using receiver = await startReceiver();
  const { port, pathname } = new URL(receiver.url);
  const url = `http://rebound.example:${port}${pathname}`;
  for (const answer of [[loopback], [publicAddress, loopback], [loopback, publicAddress]]) {
    const options = { connectTimeoutMs: 1_000, lookup: rebinding(answer) };
    const guarded = guardedAgent({ ...options, privateTargets: false });
    await expect(request(url, { dispatcher: guarded, method: 'POST' })).rejects.toThrow(
      'loopback or private',
    );
    await guarded.close();
  }
  expect(receiver.received).toEqual([]);
});

test('an address in the place of a name is judged when it is connected to as well', async () => {
  const agent = guardedAgent({ privateTargets: false, connectTimeoutMs: 1_000 });
  for (const url of ['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://169.254.169.254/'])
    await expect(request(url, { dispatcher: agent }), url).rejects.toThrow(/address/);
  await agent.close();
});
