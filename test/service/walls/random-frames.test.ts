// Random frames over a live service's wall connection: valid and broken JSON, answers out of order and repeated, wrong kinds,
// binary, too much. Each is taken or refused in words, and the service and another wall go on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { numbers, type Random } from '../../support/random.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { atSizes } from '../../support/suite.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { newWall, type WallCredentials } from '../../support/walls/new-wall.ts';
import { TestWall, wallSocket } from '../../support/walls/test-wall.ts';

let service: TestService;
let tenant: Wall;
let hostile: WallCredentials;
let other: WallCredentials;

beforeAll(async () => {
  service = await createTestService();
  tenant = await wallOf(service.address);
  hostile = await newWall(service.url, 'demo', 'pup-central');
  other = await newWall(service.url, 'demo', 'pup-station');
});
afterAll(() => service[Symbol.asyncDispose]());

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const now = () => new Date().toISOString();
const hello = () => ({ type: 'hello', journal: 'j', now: now(), doors: [], commands: [] });
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;

/** A value that may stand in any field. */
const oddValue = (random: Random): unknown =>
  pick(random, [null, -1, 0, 2 ** 53, 1.5, true, [], {}, 'x'.repeat(501), 'pup-central-1', ...hostileTexts]);

function validMessage(random: Random, lockerUids: readonly string[]): Record<string, unknown> {
  const lockerUid = pick(random, lockerUids);
  const [id, commandId] = [1 + random(50), `c-${random(5)}`];
  const happened = { id, at: now() };
  return pick<Record<string, unknown>>(random, [
    { type: 'codeTyped', ...happened, code: `${random(1_000_000)}`, lockerUid },
    { type: 'doorOpened', ...happened, lockerUid, ...(random(2) > 0 && { commandId }) },
    { type: 'doorClosed', ...happened, lockerUid },
    { type: 'commandFailed', ...happened, commandId, reason: pick(random, hostileTexts) },
    { type: 'taken', commandId },
    { type: 'commandState', commandId, state: pick(random, ['waiting', 'opened', 'failed', 'unknown']) },
    hello(),
  ]);
}

function frame(random: Random, lockerUids: readonly string[]): string | Buffer {
  const valid = validMessage(random, lockerUids);
  const field = pick(random, Object.keys(valid));
  return pick<() => string | Buffer>(random, [
    ...Array.from({ length: 8 }, () => () => JSON.stringify(valid)),
    () => JSON.stringify({ ...valid, [field]: oddValue(random) }),
    () =>
      JSON.stringify({ ...valid, [pick(random, ['__proto__', 'constructor', 'more'])]: oddValue(random) }),
    () => `{"__proto__":{"type":"hello"},${JSON.stringify(valid).slice(1)}`,
    () => JSON.stringify(valid).slice(0, random(JSON.stringify(valid).length)),
    () => deep,
    () => Buffer.from(JSON.stringify(valid)),
    () => 'x'.repeat(300_000),
    () => pick(random, ['', 'null', '[]', '"x"', '1e999', '\ud800']),
  ])();
}

/** What the service has refused of a connection, and how it has ended; null if it goes on. */
async function said(socket: WebSocket, frames: readonly (string | Buffer)[]) {
  const heard: { readonly type: string; readonly message?: string }[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  const ended = new Promise<number>((resolve) => socket.on('close', resolve));
  socket.on('error', () => undefined);
  for (const each of frames) if (socket.readyState === socket.OPEN) socket.send(each);
  // An answer to this says that all before it has been taken or refused.
  if (socket.readyState === socket.OPEN) socket.send('the end');
  const code = await ended;
  return { code, refusals: heard.filter(({ type }) => type === 'refused') };
}

atSizes({ short: 20, long: 400 }, (size, seed) => {
  test('no frame of a wall ends the service, fails in it, or passes unseen', {
    timeout: 600_000,
  }, async () => {
    const station = await TestWall.connected({ ...other, address: service.address });
    const random = numbers(seed);
    const lockerUids = ['pup-central-1', 'pup-central-2', 'pup-station-1', 'nowhere'];
    const codes = new Set<number>();
    for (let connection = 0; connection < size; connection++) {
      const frames = Array.from({ length: 20 }, () => frame(random, lockerUids));
      const socket = await wallSocket(service.address, hostile);
      const begins = random(4) > 0 ? [JSON.stringify(hello())] : [];
      const { code, refusals } = await said(socket, [...begins, ...frames]);
      codes.add(code);
      if (code !== 1009) expect(refusals, String(frames[0]).slice(0, 200)).toHaveLength(1);
      for (const { message } of refusals) expect(message).toMatch(/\w/);
    }
    // 4409: the hello of the connection before was still under way. 4429: a wall that says hello too often.
    expect([...codes].filter((code) => ![1009, 4400, 4409, 4429].includes(code))).toEqual([]);
    expect(service.logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    const [shipmentUid] = await tenant.book('CreateLocalShipment', { pupUid: 'pup-station' });
    expect(await station.type(`${(await tenant.codes(shipmentUid)).deliveryCode}`)).toMatchObject({
      opens: { goal: 'DropOff' },
    });
  });
});
