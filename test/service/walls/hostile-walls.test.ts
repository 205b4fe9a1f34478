// What a wall may not do: use other credentials, name another pick up point's doors or commands, say things twice, flood,
// or try codes through. It is refused, and the others go on.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { WALL_PATH, WALL_PROTOCOL } from '../../../contract/index.ts';
import { notifiedStates } from '../../support/notifications.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { newWall, type WallCredentials } from '../../support/walls/new-wall.ts';
import { TestWall, wallSocket, wallToken } from '../../support/walls/test-wall.ts';

let service: TestService;
let tenant: Wall;
let central: WallCredentials;
const sockets: WebSocket[] = [];

beforeEach(async () => {
  service = await createTestService();
  tenant = await wallOf(service.address);
  central = await newWall(service.url, 'demo', 'pup-central');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await service[Symbol.asyncDispose]();
});

const connect = (credentials: WallCredentials, address = service.address): Promise<TestWall> =>
  TestWall.connected({ ...credentials, address });

async function socketOf(credentials: WallCredentials): Promise<WebSocket> {
  const socket = await wallSocket(service.address, credentials);
  sockets.push(socket);
  return socket;
}

const hello = (doors: readonly object[] = []) =>
  JSON.stringify({ type: 'hello', journal: 'j', now: new Date().toISOString(), doors, commands: [] });
/** Beneath the frames. */
const rawSocket = (socket: WebSocket): Socket => (socket as unknown as { readonly _socket: Socket })._socket;
const at = () => new Date().toISOString();

/** The close code, and what was refused before. */
function ending(socket: WebSocket): Promise<{ readonly code: number; readonly refused: string | undefined }> {
  let refused: string | undefined;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { type: string; message?: string };
    if (message.type === 'refused') refused = message.message;
  });
  return new Promise((resolve) => socket.on('close', (code) => resolve({ code, refused })));
}

// assumptions: Walls, Which client is a wall
test('a wall’s token calls no operation, and no other token connects a wall', async () => {
  const token = await wallToken(service.address, central);
  const request = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' };
  expect((await fetch(`${service.address}/v1/Logistics/GetPickUpPoints`, request)).status).toBe(401);
  await expect(wallToken(service.address, { clientId: 'demo', clientSecret: 'demo-secret' })).rejects.toThrow(
    'invalid_scope',
  );
  const upgrade = { authorization: `Bearer ${'x'.repeat(20)}` };
  expect((await fetch(service.address + WALL_PATH, { headers: upgrade })).status).toBe(401);
});

test('a revoked wall is cut off, and of two connections the newer one counts', async () => {
  const first = await connect(central);
  const second = await connect(central);
  await expect.poll(() => first.ends).toContainEqual(expect.stringContaining('closed with 4409'));
  await tenant.book('CreateLocalShipment');
  await service.database
    .updateTable('api_clients')
    .set({ revoked_at: new Date() })
    .where('client_id', '=', central.clientId)
    .execute();
  await expect.poll(() => second.ends).toContainEqual(expect.stringContaining('closed with 4401'));
});

// assumptions: The wire, Revocation
test('a connection ends with the secret that it came from, at any instance, and one of the other secret goes on', {
  tags: 'long',
}, async () => {
  const other = await service.anotherInstance();
  const client = async (...words: string[]) =>
    JSON.parse(await writtenByService(['--json', 'client', ...words], { DATABASE_URL: service.url }));
  const { clientSecret } = await client('rotate', central.clientId);
  const station = await newWall(service.url, 'demo', 'pup-station');
  const { clientSecret: newSecret } = await client('rotate', station.clientId);
  const old = await connect(central, other.address);
  const current = await connect({ ...station, clientSecret: newSecret }, other.address);
  await client('retire', central.clientId, '--yes');
  await client('retire', station.clientId, '--yes');
  await expect.poll(() => old.ends).toContainEqual(expect.stringContaining('closed with 4401'));
  // It is looked at like the other one, at each beat.
  expect(current.isConnected).toBe(true);
  await expect(wallToken(service.address, central)).rejects.toThrow('invalid_client');
  const again = await connect({ ...central, clientSecret });
  expect(again.isConnected).toBe(true);
  await other.close();
});

test('a connection whose secret is retired before its hello is not welcome', async () => {
  const socket = await socketOf(central);
  const heard: string[] = [];
  socket.on('message', (data) => heard.push((JSON.parse(String(data)) as { type: string }).type));
  const ended = ending(socket);
  const ofWall = service.database.deleteFrom('client_secrets').where('client_id', '=', central.clientId);
  await ofWall.execute();
  socket.send(hello());
  expect(await ended).toEqual({ code: 4401, refused: expect.stringContaining('retired or revoked') });
  expect(heard).toEqual(['refused']);
});

// The wall's program may stand still for some seconds; only one that never answers is gone.
test('a connection ends when three pings in a row have no answer, and not before', {
  tags: 'long',
}, async () => {
  const socket = await socketOf(central);
  const ended = ending(socket);
  let pings = 0;
  // The library calls this for each ping.
  socket.pong = () => {
    pings += 1;
    if (pings === 2) WebSocket.prototype.pong.call(socket);
  };
  socket.send(hello());
  expect(await ended).toEqual({ code: 1006, refused: undefined });
  // An answer may be read one ping late.
  expect(pings).toBeGreaterThanOrEqual(2 + 3);
});

test('another pick up point’s doors and commands are refused, and nothing of them changes', async () => {
  const station = await newWall(service.url, 'demo', 'pup-station');
  const victim = await connect(central);
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const lockerUid = `pup-central-${(await tenant.shipment(shipmentUid)).lockerName}`;

  const doors = await socketOf(station);
  const refusedDoors = ending(doors);
  doors.send(hello([{ lockerUid, door: 'open' }]));
  expect(await refusedDoors).toEqual({ code: 4400, refused: expect.stringContaining(lockerUid) });

  const opened = await socketOf(station);
  const refusedOpening = ending(opened);
  opened.send(hello());
  opened.send(JSON.stringify({ type: 'doorOpened', id: 1, at: at(), lockerUid, commandId: 'c-1' }));
  expect(await refusedOpening).toMatchObject({ code: 4400 });

  // A command of the other wall, told as this one's.
  const { deliveryCode } = await tenant.codes(shipmentUid);
  await tenant.drop(shipmentUid);
  const { commandId } = await victim.answer('openDoor');
  const liar = await connect(station);
  liar.write({ type: 'commandFailed', commandId, reason: 'a lie' });
  await liar.settled();
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
  expect((await liar.type(`${deliveryCode}`)).error).toBe('InvalidAccessCode');
});

test('a reason that cannot be stored is refused in words: the wall would send it again for ever', {
  tags: 'long',
}, async () => {
  const socket = await socketOf(central);
  const ended = ending(socket);
  socket.send(hello());
  const failed = { type: 'commandFailed', id: 1, at: at(), commandId: 'c-1', reason: 'jammed\0' };
  socket.send(JSON.stringify(failed));
  const refused = expect.stringContaining('reason: must be well-formed Unicode without a NUL character');
  expect(await ended).toEqual({ code: 4400, refused });
});

test.each(['0000-01-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z', '2100-01-01T00:00:00.000Z'])(
  'the moment %s is refused in words: it would make the journal stick',
  async (moment) => {
    const socket = await socketOf(central);
    const ended = ending(socket);
    socket.send(hello());
    socket.send(JSON.stringify({ type: 'doorClosed', id: 1, at: moment, lockerUid: 'pup-central-1' }));
    expect(await ended).toEqual({ code: 4400, refused: expect.stringContaining('at: must be from 2000') });
  },
);

test('a message that is sent again has no second effect, also under a new journal', async () => {
  const wall = await connect(central);
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  await tenant.drop(shipmentUid);
  await wall.settled();
  const { lockerUid, commandId } = await wall.answer('openDoor');
  // As if it were new: the service has the outcome of this command.
  wall.write({ type: 'doorOpened', lockerUid, commandId });
  await wall.settled();
  const again = await connect(central);
  again.write({ type: 'doorOpened', lockerUid, commandId });
  await again.settled();
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
  expect(await notifiedStates(service.database, shipmentUid)).toEqual([[0, 'ReadyForPickup']]);
});

test('a wall that says hello again and again is refused for a while, and told of once', async () => {
  /** Undefined if it was welcome; else why it was refused. */
  const saidHello = async (): Promise<string | undefined> => {
    const socket = await wallSocket(service.address, central);
    socket.send(hello());
    const [data] = await once(socket, 'message');
    socket.terminate();
    const answer = JSON.parse(String(data)) as { type: string; message?: string };
    return answer.type === 'welcome' ? undefined : answer.message;
  };
  let welcomed = 0;
  let refused = await saidHello();
  for (; refused === undefined && welcomed < 100; welcomed++) refused = await saidHello();
  expect(refused).toMatch(/hello at most 30 times at once/);
  // However many follow, they are told once a minute.
  await saidHello();
  await saidHello();
  const told = service.logLines.filter(({ msg }) => String(msg).includes('hello at most 30 times'));
  expect(told).toMatchObject([{ count: 1, closeCode: 4429 }]);
  // Nobody is locked out: soon one more hello is free.
  await expect.poll(saidHello, { timeout: 30_000, interval: 500 }).toBeUndefined();
});

test('whoever has the secret of one wall opens a few connections with it, and not all', async () => {
  const authorization = `Bearer ${await wallToken(service.address, central)}`;
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

test.each([
  ['a message before hello', JSON.stringify({ type: 'doorClosed', id: 1, at: at(), lockerUid: 'x' }), 4400],
  ['no JSON', 'opened!', 4400],
  ['an unknown type', JSON.stringify({ type: 'openEverything' }), 4400],
  ['a frame that is too long', 'x'.repeat(300_000), 1009],
])('%s ends the connection', async (_name, text, code) => {
  const socket = await socketOf(central);
  const ended = ending(socket);
  socket.send(text);
  expect((await ended).code).toBe(code);
});

test('a wall that pings without end and reads no answer is cut, and does not fill the memory', async () => {
  const wall = rawSocket(await socketOf(central));
  wall.on('error', () => undefined).pause();
  const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
  const pings = Buffer.concat(Array<Buffer>(2_000).fill(ping));
  const closed = once(wall, 'close');
  let sent = 0;
  for (; !wall.destroyed && sent < 200_000_000; sent += pings.length)
    if (!wall.write(pings)) await Promise.race([once(wall, 'drain'), closed]).catch(() => undefined);
  expect(sent).toBeLessThan(100_000_000);
});

// assumptions: Walls, Wrong codes
test('after so many wrong codes all codes are refused for a while, at the door and at the wall, and the audit log tells', async () => {
  const wall = await connect(central);
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const { deliveryCode, pickUpCode } = await tenant.codes(shipmentUid);
  const lockerUid = `pup-central-${(await tenant.shipment(shipmentUid)).lockerName}`;
  const wrong = (from: number) => `${(Number(deliveryCode) + from) % 1_000_000}`.padStart(6, '0');
  const codes = Array.from({ length: 30 }, (_, index) => wrong(index + 1)).filter(
    (code) => code !== pickUpCode,
  );
  const answers = [];
  for (const code of codes.slice(0, 5)) answers.push((await wall.type(code, lockerUid)).error);
  expect(answers).toEqual(Array(5).fill('InvalidAccessCode'));
  const refused = await wall.type(`${deliveryCode}`, lockerUid);
  expect(refused).toMatchObject({ opens: null, error: 'RateLimitExceeded', retryAt: expect.any(String) });
  // Another door is not affected before the whole wall is.
  const [another] = await tenant.book('CreateLocalShipment');
  const { deliveryCode: itsCode } = await tenant.codes(another);
  const itsDoor = `pup-central-${(await tenant.shipment(another)).lockerName}`;
  expect(await wall.type(`${itsCode}`, itsDoor)).toMatchObject({ opens: { lockerUid: itsDoor } });
  for (const code of codes.slice(5, 20)) expect((await wall.type(code)).error).toBe('InvalidAccessCode');
  expect((await wall.type(`${deliveryCode}`)).error).toBe('RateLimitExceeded');
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForDropoff']);
  const { items } = await tenant.ok('GetAuditLog', { pageSize: 100 });
  const told = (items as { operation: string; outcome: string; clientId: string }[]).filter(
    ({ clientId }) => clientId === central.clientId,
  );
  expect(told.filter(({ outcome }) => outcome === 'InvalidAccessCode')).toHaveLength(20);
  expect(told.filter(({ outcome }) => outcome === 'RateLimitExceeded')).toHaveLength(2);
});

test('a flood of one wall stays in the network, and another wall is served meanwhile', {
  tags: 'long',
}, async () => {
  const station = await connect(await newWall(service.url, 'demo', 'pup-station'));
  const flooding = await socketOf(central);
  flooding.send(hello());
  const code = JSON.stringify({ type: 'commandState', commandId: 'c'.repeat(200), state: 'waiting' });
  let sent = 0;
  const flood = () => {
    while (flooding.bufferedAmount < 1_000_000 && sent < 100_000) {
      flooding.send(code);
      sent += 1;
    }
  };
  const timer = setInterval(flood, 5);
  for (let times = 0; times < 5; times++) {
    const [shipmentUid] = await tenant.book('CreateLocalShipment', { pupUid: 'pup-station' });
    expect(await station.type(`${(await tenant.codes(shipmentUid)).deliveryCode}`)).toMatchObject({
      opens: { goal: 'DropOff' },
    });
    await station.settled();
  }
  clearInterval(timer);
  // What the service has not taken fills no memory of it: the rest of the flood has not even left its sender.
  expect(flooding.bufferedAmount).toBeGreaterThan(0);
});
