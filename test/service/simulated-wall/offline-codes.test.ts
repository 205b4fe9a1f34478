// Codes that people type at a wall without a connection: the offline list opens what it allows, once and until it expires;
// a list that is forged, expired or another wall's opens nothing.
// assumptions: Walls, Offline lists
import { scryptSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  MAX_OFFLINE_ENTRIES,
  OFFLINE_LIST_TYPE,
  type OfflineList,
} from '../../../contract/wall/wall-messages.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { isLongSuite, spreadOf } from '../../support/suite.ts';
import type { ProtocolPeer } from './protocol-peer.ts';
import { type TestWalls, wallAndPeer } from './start-walls.ts';

const [ONE, TWO] = ['pup-1-1', 'pup-1-2'] as const;
const keys = await generateKeyPair('ES256');
const otherKeys = await generateKeyPair('ES256');
// Cheaper than the service's: the wall does as the list says.
const COST = { N: 1_024, r: 8, p: 1, bytes: 16 };

let stack: AsyncDisposableStack;
let walls: TestWalls;
let peer: ProtocolPeer;
let lists = 0;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  ({ walls, peer } = await wallAndPeer(stack));
  peer.keys = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'key-1', alg: 'ES256' }] };
});
afterEach(() => stack.disposeAsync());

const entryOf = (code: string, lockerUid: string, changes: Partial<OfflineList['entries'][number]> = {}) => ({
  entryId: `entry-${code}`,
  lockerUid,
  goal: 'DropOff' as const,
  codeHash: scryptSync(code, 'salt', COST.bytes, COST).toString('base64url'),
  once: true,
  ...changes,
});

function listOf(entries: OfflineList['entries'], changes: Partial<OfflineList> = {}): OfflineList {
  lists += 1;
  const issuedAt = new Date(Date.now() + peer.aheadMs + lists).toISOString();
  const expiresAt = new Date(Date.now() + peer.aheadMs + 3_600_000).toISOString();
  const list = { listId: `list-${lists}`, pupUid: 'pup-1', issuedAt, expiresAt, salt: 'salt', scrypt: COST };
  return { ...list, entries, ...changes };
}

const signed = (list: OfflineList, key = keys.privateKey, typ: string = OFFLINE_LIST_TYPE) =>
  new CompactSign(new TextEncoder().encode(JSON.stringify(list)))
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ })
    .sign(key);

/** Gives the wall a list, waits until its disk has it, and cuts the line. */
async function offlineWith(list: OfflineList): Promise<void> {
  peer.say({ type: 'offlineList', list: await signed(list) });
  await expect.poll(() => walls.memory()).toContain(list.listId);
  await cutOff();
}

async function cutOff(): Promise<void> {
  walls.wall().plugIn(false);
  await expect.poll(() => walls.wall().view().isConnected).toBe(false);
}

test('its hello asks for lists, and tells how many wrong codes were typed without one', () => {
  expect(peer.of('hello').at(-1)).toMatchObject({ offlineLists: true, offlineWrongCodes: 0 });
});

test('a code of the list opens its door once, and the service is told afterwards', async () => {
  const list = listOf([entryOf('123456', ONE), entryOf('222222', TWO, { goal: 'PickUp' })]);
  await offlineWith(list);
  expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'opened', lockerUid: ONE });
  expect(walls.door(ONE).door).toBe('open');
  expect(await walls.wall().typeCode('123456')).toEqual({ outcome: 'wrong' });
  expect(await walls.wall().typeCode('654321')).toEqual({ outcome: 'wrong' });
  expect(await walls.wall().typeCode('222222')).toMatchObject({ outcome: 'opened', lockerUid: TWO });
  walls.wall().plugIn(true);
  const told = await peer.heardOf('openedOffline', 2);
  expect(told).toMatchObject([
    { lockerUid: ONE, listId: list.listId, entryId: 'entry-123456' },
    { lockerUid: TWO, listId: list.listId, entryId: 'entry-222222' },
  ]);
});

test.runIf(isLongSuite)(
  'a list with as many entries as the service may give leaves the wall connected, and opens its door',
  async () => {
    const other = entryOf('222222', TWO);
    const others = Array.from({ length: MAX_OFFLINE_ENTRIES - 1 }, (_, index) => ({
      ...other,
      entryId: `a-uid-as-long-as-the-service-gives-${index}`,
    }));
    const list = listOf([...others, entryOf('123456', ONE)]);
    const hellos = peer.of('hello').length;
    await offlineWith(list);
    expect(peer.of('hello')).toHaveLength(hellos);
    expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'opened', lockerUid: ONE });
  },
);

test('a code that stays valid opens as often as it is typed', async () => {
  await offlineWith(listOf([entryOf('123456', ONE, { once: false })]));
  for (const _ of [1, 2]) {
    expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'opened' });
    walls.wall().close(ONE);
  }
});

test.runIf(isLongSuite)(
  'a code that was used up opens nothing by the next list, made before the service knew',
  async () => {
    await offlineWith(listOf([entryOf('123456', ONE)]));
    expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'opened' });
    walls.wall().plugIn(true);
    await peer.heardOf('openedOffline');
    await offlineWith(listOf([entryOf('123456', ONE), entryOf('222222', TWO)]));
    expect(await walls.wall().typeCode('123456')).toEqual({ outcome: 'wrong' });
    expect(await walls.wall().typeCode('222222')).toMatchObject({ outcome: 'opened' });
  },
);

test.runIf(isLongSuite)('a list outlives a kill of the program, on a disk that has no code', async () => {
  const url = await walls.stop().then(() => walls.serviceUrl);
  const file = { walls: [{ pupUid: 'pup-1', clientId: 'wall-1', clientSecret: 'secret-1' }] };
  await writeFile(join(walls.home, 'walls.yaml'), JSON.stringify(file));
  const env = { ...process.env, LOCKERFLOW_HOME: walls.home, WALL_PORT: '0', WALL_SERVICE_URL: url };
  const hellos = peer.of('hello').length;
  const child = nodeProgramOfTest(['service/simulated-wall/main.ts'], { env });
  await peer.heardOf('hello', hellos + 1);
  const list = listOf([entryOf('123456', ONE, { entryId: 'entry-1' })]);
  peer.say({ type: 'offlineList', list: await signed(list) });
  await expect.poll(() => walls.memory()).toContain(list.listId);
  await child.kill();
  expect(await walls.memory()).not.toContain('123456');
  peer.welcomes = false;
  await walls.start();
  expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'opened', lockerUid: ONE });
});

test('a list that has expired opens nothing, and leaves the disk', async () => {
  const list = listOf([entryOf('123456', ONE)]);
  await offlineWith(list);
  await walls.stop();
  const memory = JSON.parse(await walls.memory());
  memory.offline.list.expiresAt = new Date(Date.now() - 1).toISOString();
  await writeFile(join(walls.home, 'walls', 'pup-1.json'), JSON.stringify(memory));
  peer.welcomes = false;
  await walls.start();
  expect(await walls.wall().typeCode('123456')).toEqual({ outcome: 'offline' });
  walls.wall().openWithKey(TWO);
  expect(await walls.memory()).not.toContain(list.listId);
});

/** Issued after the list that follows it: had the wall taken it, it would not take that one. */
const forgedList = (changes: Partial<OfflineList> = {}) =>
  listOf([entryOf('123456', ONE)], { issuedAt: new Date(Date.now() + 60_000).toISOString(), ...changes });

const forgeries: readonly (readonly [what: string, list: () => Promise<string>])[] = [
  ['signed by another key', () => signed(forgedList(), otherKeys.privateKey)],
  ['that is of another kind', () => signed(forgedList(), keys.privateKey, 'at+jwt')],
  ['of another pick up point', () => signed(forgedList({ pupUid: 'pup-2' }))],
  [
    'changed after it was signed',
    async () => {
      const [header, , signature] = (await signed(listOf([]))).split('.');
      const payload = Buffer.from(JSON.stringify(forgedList())).toString('base64url');
      return `${header}.${payload}.${signature}`;
    },
  ],
  [
    'without a signature',
    async () => {
      const payload = Buffer.from(JSON.stringify(forgedList())).toString('base64url');
      return `${Buffer.from(JSON.stringify({ alg: 'none', typ: OFFLINE_LIST_TYPE })).toString('base64url')}.${payload}.`;
    },
  ],
];

test.each(spreadOf(forgeries, 3))('a list %s is not taken', async (_, forged) => {
  const good = listOf([entryOf('222222', TWO)]);
  peer.say({ type: 'offlineList', list: await signed(good) });
  await expect.poll(() => walls.memory()).toContain(good.listId);
  peer.say({ type: 'offlineList', list: await forged() });
  // Lists are checked in turn: after this one the forged one is.
  const last = listOf([entryOf('333333', TWO)], { listId: 'list-last' });
  peer.say({ type: 'offlineList', list: await signed(last) });
  await expect.poll(() => walls.memory()).toContain('list-last');
  await cutOff();
  expect(await walls.wall().typeCode('123456')).toEqual({ outcome: 'wrong' });
  expect(await walls.memory()).not.toContain('entry-123456');
});

test('after twenty wrong codes the list opens nothing, right codes neither, also after a restart', async () => {
  await offlineWith(listOf([entryOf('123456', ONE)]));
  for (let code = 0; code < 20; code += 1)
    expect(await walls.wall().typeCode(`9${code}`)).toEqual({ outcome: 'wrong' });
  expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'tooMany' });
  await walls.stop();
  peer.welcomes = false;
  await walls.start();
  expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'tooMany' });
});

const wrongCodes = async (count: number) => {
  for (let code = 0; code < count; code += 1)
    expect(await walls.wall().typeCode(`9${code}`)).toEqual({ outcome: 'wrong' });
};
const RIGHT = '123456';
const right = () => walls.wall().typeCode(RIGHT);

/** The wall is connected again, and has said hello. */
async function pluggedIn() {
  const hellos = peer.of('hello').length;
  walls.wall().plugIn(true);
  await peer.heardOf('hello', hellos + 1);
  await expect.poll(() => walls.wall().view().isConnected).toBe(true);
  return peer.of('hello').at(-1);
}

test.runIf(isLongSuite)('a second list gives no further tries', async () => {
  await offlineWith(listOf([entryOf(RIGHT, ONE)]));
  await wrongCodes(20);
  expect(await right()).toMatchObject({ outcome: 'tooMany' });
  await pluggedIn();
  await offlineWith(listOf([entryOf(RIGHT, ONE)]));
  expect(await right()).toMatchObject({ outcome: 'tooMany' });
});

test('the tries that are left are those of all lists together, and a right code takes none, used or not', async () => {
  await offlineWith(listOf([entryOf(RIGHT, ONE)]));
  await wrongCodes(12);
  expect(await right()).toMatchObject({ outcome: 'opened' });
  expect(await right()).toEqual({ outcome: 'wrong' });
  await pluggedIn();
  await offlineWith(listOf([entryOf('222222', TWO)]));
  await wrongCodes(8);
  expect(await walls.wall().typeCode('222222')).toMatchObject({ outcome: 'tooMany' });
});

test.runIf(isLongSuite)('wrong codes are told at every hello, also after a restart', async () => {
  await offlineWith(listOf([entryOf(RIGHT, ONE)]));
  await wrongCodes(3);
  expect(await right()).toMatchObject({ outcome: 'opened' });
  expect(await pluggedIn()).toMatchObject({ offlineWrongCodes: 3 });
  await offlineWith(listOf([entryOf('222222', TWO)]));
  await wrongCodes(2);
  const hellos = peer.of('hello').length;
  await walls.stop();
  await walls.start();
  await peer.heardOf('hello', hellos + 1);
  expect(peer.of('hello').at(-1)).toMatchObject({ offlineWrongCodes: 5 });
});

test('codes that the service refuses take tries too: the cable gives no twenty more', async () => {
  peer.onCode = ({ id }) =>
    peer.say({ type: 'codeAnswered', id, opens: null, error: 'InvalidAccessCode', message: 'wrong' });
  await wrongCodes(15);
  await offlineWith(listOf([entryOf(RIGHT, ONE)]));
  await wrongCodes(5);
  expect(await right()).toMatchObject({ outcome: 'tooMany' });
  expect(await pluggedIn()).toMatchObject({ offlineWrongCodes: 5 });
});

test.runIf(isLongSuite)(
  'three minutes after the last try one more is free, and a clock that is put back gives none',
  async () => {
    const list = listOf([entryOf(RIGHT, ONE)]);
    await offlineWith(list);
    await wrongCodes(20);
    const file = join(walls.home, 'walls', 'pup-1.json');
    peer.welcomes = false;
    for (const [agoMs, outcomes] of [
      [-3_600_000, ['tooMany']],
      [180_000, ['wrong', 'tooMany']],
      [360_000, ['wrong', 'wrong', 'tooMany']],
    ] as const) {
      await walls.stop();
      const memory = JSON.parse(await walls.memory());
      const countedAt = new Date(Date.now() - agoMs).toISOString();
      await writeFile(file, JSON.stringify({ ...memory, triedCodes: { ...memory.triedCodes, countedAt } }));
      await walls.start();
      for (const outcome of outcomes)
        expect(await walls.wall().typeCode('999999')).toMatchObject({ outcome });
    }
  },
);

test('a stuck door stays shut: nothing is told, and the code is not used up', async () => {
  await offlineWith(listOf([entryOf('123456', ONE)]));
  walls.wall().setFault(ONE, 'Stuck');
  expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'stuck' });
  walls.wall().setFault(ONE, 'None');
  expect(await walls.wall().typeCode('123456')).toMatchObject({ outcome: 'opened' });
  walls.wall().plugIn(true);
  await peer.heardOf('openedOffline');
  expect(peer.of('openedOffline')).toHaveLength(1);
  expect(peer.of('hello').at(-1)).toMatchObject({ offlineWrongCodes: 0 });
});
