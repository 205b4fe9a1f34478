// Wrong codes that people type at a wall while it has no connection: they are told at its next hello, they use up what may be
// tried there, and the tenant's audit log has them. Nobody gets further tries by pulling the cable.
// assumptions: Walls, Wrong codes
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { WALL_PATH, WALL_PROTOCOL } from '../../../contract/index.ts';
import { newWallState } from '../../../service/simulated-wall/lockers/wall-state.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { isLongSuite } from '../../support/suite.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { newWall, type WallCredentials } from '../../support/walls/new-wall.ts';
import { TestWall, type TestWallOptions, wallSocket, wallToken } from '../../support/walls/test-wall.ts';
import { newTestWalls } from '../simulated-wall/start-walls.ts';

let service: TestService;
let tenant: Wall;
let credentials: WallCredentials;
const sockets: WebSocket[] = [];

beforeEach(async () => {
  service = await createTestService();
  tenant = await wallOf(service.address);
  credentials = await newWall(service.url, 'demo', 'pup-central');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await service[Symbol.asyncDispose]();
});

const connect = (changes: Partial<TestWallOptions> = {}): Promise<TestWall> =>
  TestWall.connected({ ...credentials, address: service.address, ...changes });

/** A disk on which so many more wrong codes were typed. */
const withWrong = (wrongCodes: number, { triedCodes } = newWallState()) => ({
  triedCodes: { ...triedCodes, wrongOffline: triedCodes.wrongOffline + wrongCodes },
});

/** Pulls the cable of a wall where so many wrong codes are typed, and plugs it in again. */
async function cutWhile(wall: TestWall, wrongCodes: number): Promise<void> {
  wall.cut();
  wall.forge((disk) => withWrong(wrongCodes, disk));
  await wall.connect();
}

/** What the audit log has of codes that were typed, as operation and outcome, with how many codes. */
async function audited(): Promise<Record<string, number>> {
  const { items } = await tenant.ok('GetAuditLog', { pageSize: 500, uid: 'pup-central' });
  const entries = items as { operation: string; outcome: string; clientId: string; count: number }[];
  const typed = entries.filter(({ operation }) => operation.startsWith('codeTyped'));
  const counts: Record<string, number> = {};
  for (const { operation, outcome, clientId, count } of typed) {
    expect(clientId).toBe(credentials.clientId);
    const kind = `${operation} ${outcome}`;
    counts[kind] = (counts[kind] ?? 0) + count;
  }
  return counts;
}

const wrong = async (wall: TestWall) => (await wall.type('000')).error;

test('wrong codes without a connection use up what may be tried there, and each is in the audit log', async () => {
  const wall = await connect();
  await cutWhile(wall, 18);
  expect(await wrong(wall)).toBe('InvalidAccessCode');
  expect(await wrong(wall)).toBe('InvalidAccessCode');
  expect(await wrong(wall)).toBe('RateLimitExceeded');
  expect(await audited()).toEqual({
    'codeTypedOffline InvalidAccessCode': 18,
    'codeTyped InvalidAccessCode': 2,
    'codeTyped RateLimitExceeded': 1,
  });
});

test('a wall that tells of billions, under new journals again and again, writes a few rows and is refused', async () => {
  const rows = async () =>
    (await service.database.selectFrom('audit_log').select('audit_id').execute()).length;
  const before = await rows();
  const hello = () =>
    saidHello({
      type: 'hello',
      journal: randomUUID(),
      now: new Date().toISOString(),
      doors: [],
      commands: [],
      offlineLists: true,
      offlineWrongCodes: 1_000_000_000,
    });
  let welcomed = 0;
  let refused = await hello();
  for (; refused === undefined && welcomed < 100; welcomed++) refused = await hello();
  expect(refused).toMatch(/hello at most 30 times at once/);
  expect(welcomed).toBeLessThan(100);
  // One for the codes of each hello, and one that no more are allowed.
  expect((await rows()) - before).toBeLessThanOrEqual(2 * welcomed);
  expect((await audited())['codeTypedOffline InvalidAccessCode']).toBeLessThanOrEqual(4_000 + welcomed * 20);
  // However many follow, they are told once a minute.
  await hello();
  await hello();
  const told = service.logLines.filter(({ msg }) => String(msg).includes('hello at most 30 times'));
  expect(told).toMatchObject([{ count: 1, closeCode: 4429 }]);
  // Nobody is locked out: soon one more hello is free.
  await expect.poll(hello, { timeout: 30_000, interval: 500 }).toBeUndefined();
});

test('whoever has the secret of one wall opens a few connections with it, and not all', async () => {
  const authorization = `Bearer ${await wallToken(service.address, credentials)}`;
  const heard: string[] = [];
  for (let count = 0; count < 18; count++) {
    const socket = new WebSocket(service.address.replace(/^http/, 'ws') + WALL_PATH, WALL_PROTOCOL, {
      headers: { authorization },
    });
    socket.on('message', (data) => heard.push(String(data))).on('error', () => undefined);
    sockets.push(socket);
  }
  const refused = () => heard.filter((text) => text.includes('at most 16 connections')).length;
  await expect.poll(refused, { timeout: 30_000 }).toBe(2);
});

/** Undefined if it was welcome; else why it was refused. */
async function saidHello(hello: object): Promise<string | undefined> {
  const socket = await wallSocket(service.address, credentials);
  try {
    socket.send(JSON.stringify(hello));
    const [data] = await once(socket, 'message');
    const answer = JSON.parse(String(data)) as { type: string; message?: string };
    return answer.type === 'welcome' ? undefined : answer.message;
  } finally {
    socket.terminate();
  }
}

test.runIf(isLongSuite)(
  'after twenty of them a right code is refused too, for minutes and not for hours',
  async () => {
    const wall = await connect();
    const [shipmentUid] = await tenant.book('CreateLocalShipment');
    const { deliveryCode } = await tenant.codes(shipmentUid);
    await cutWhile(wall, 300);
    const answer = await wall.type(`${deliveryCode}`);
    expect(answer).toMatchObject({ opens: null, error: 'RateLimitExceeded' });
    const waitMs = Date.parse(answer.retryAt ?? '') - Date.now();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(180_000);
    expect(await audited()).toEqual({
      // No more can have been typed within the seconds since the wall was heard last.
      'codeTypedOffline InvalidAccessCode': 20,
      'codeTypedOffline RateLimitExceeded': 1,
    });
  },
);

test.runIf(isLongSuite)(
  'what a wall has told before counts once, and a new journal begins from nothing',
  async () => {
    const wall = await connect();
    await cutWhile(wall, 3);
    await cutWhile(wall, 0);
    await cutWhile(wall, 2);
    expect(await audited()).toEqual({ 'codeTypedOffline InvalidAccessCode': 5 });
    wall.cut();
    const other = await connect({ state: { ...newWallState(), ...withWrong(4) } });
    expect(await audited()).toEqual({ 'codeTypedOffline InvalidAccessCode': 9 });
    // A wall that was restored knows of fewer: those that follow count again.
    await cutWhile(other, -3);
    await cutWhile(other, 1);
    expect(await audited()).toEqual({ 'codeTypedOffline InvalidAccessCode': 10 });
  },
);

test.runIf(isLongSuite)(
  'a wall that wants lists and does not count wrong codes gets none, and opens doors as before',
  async () => {
    const station = await newWall(service.url, 'demo', 'pup-station');
    const counting = await connect();
    const wall = await connect({ ...station, hello: { offlineWrongCodes: undefined } });
    const [shipmentUid] = await tenant.book('CreateLocalShipment', { pupUid: 'pup-station' });
    const { deliveryCode } = await tenant.codes(shipmentUid);
    expect(await wall.type(`${deliveryCode}`)).toMatchObject({ opens: { goal: 'DropOff' } });
    const before = counting.lists.length;
    await tenant.book('CreateLocalShipment');
    // Those of all walls are made together.
    await counting.until(() => counting.lists.length > before);
    expect(wall.lists).toEqual([]);
  },
);

// assumptions: Walls, Offline lists
test.runIf(isLongSuite)(
  'pulling the cable of a simulated wall again and again gives no further tries, and a restart gives none',
  async () => {
    await using walls = await newTestWalls(service.address);
    const own = [{ ...credentials, withoutSensor: [] }];
    await walls.start(own);
    const wall = () => walls.wall('pup-central');
    const plug = async (isPluggedIn: boolean) => {
      wall().plugIn(isPluggedIn);
      await expect.poll(() => wall().view().isConnected, { timeout: 60_000 }).toBe(isPluggedIn);
    };
    await expect.poll(() => wall().view().isConnected, { timeout: 60_000 }).toBe(true);
    const [shipmentUid] = await tenant.book('CreateLocalShipment');
    const { deliveryCode } = await tenant.codes(shipmentUid);
    const listId = async () => JSON.parse(await walls.memory('pup-central')).offline?.list.listId;
    const listed = async () => JSON.parse(await walls.memory('pup-central')).offline?.list.entries.length;
    await expect.poll(listed, { timeout: 60_000 }).toBe(1);

    for (const tries of [12, 8]) {
      await plug(false);
      for (let code = 0; code < tries; code += 1)
        expect(await wall().typeCode(`9${code}`)).toEqual({ outcome: 'wrong' });
      const former = await listId();
      await plug(true);
      await expect.poll(listId, { timeout: 60_000 }).not.toBe(former);
    }
    expect(await wall().typeCode(`${deliveryCode}`)).toMatchObject({ outcome: 'tooMany' });
    await plug(false);
    expect(await wall().typeCode(`${deliveryCode}`)).toMatchObject({ outcome: 'tooMany' });
    await walls.stop();
    await walls.start(own);
    await expect.poll(() => wall().view().isConnected, { timeout: 60_000 }).toBe(true);
    await plug(false);
    expect(await wall().typeCode(`${deliveryCode}`)).toMatchObject({ outcome: 'tooMany' });
    expect(await tenant.states(shipmentUid)).toEqual(['ReadyForDropoff']);
    expect(await audited()).toEqual({
      'codeTypedOffline InvalidAccessCode': 20,
      'codeTypedOffline RateLimitExceeded': 1,
    });
  },
  180_000,
);
