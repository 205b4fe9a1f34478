// The simulated wall at the other end of the wall protocol: what it says, what it does for a command, and what it still
// knows after a lost connection and after its own end.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { wallAndPeer } from './start-walls.ts';

const ONE = 'pup-1-1';
const TWO = 'pup-1-2';
const THREE = 'pup-1-3';

async function connected() {
  const stack = new AsyncDisposableStack();
  onTestFinished(() => stack.disposeAsync());
  return await wallAndPeer(stack);
}

test('a new wall has a door for each locker that the service names, and tells them all', async () => {
  const { walls, peer } = await connected();
  const [first, second] = peer.of('hello');
  expect(first?.doors).toEqual([]);
  expect(second?.doors).toEqual([
    { lockerUid: ONE, door: 'closed' },
    { lockerUid: TWO, door: 'closed' },
    { lockerUid: THREE, door: 'closed' },
  ]);
  expect(first?.journal).toBe(second?.journal);
  expect(walls.wall().view()).toMatchObject({ name: 'Central', isConnected: true });
  expect(Object.fromEntries(peer.credentials[0] ?? [])).toEqual({
    grant_type: 'client_credentials',
    scope: 'wall',
    client_id: 'wall-1',
    client_secret: 'secret-1',
  });
});

test('a door opens for a command once; the same command again opens nothing', async () => {
  const { walls, peer } = await connected();
  peer.openDoor('c-1', ONE);
  expect(await peer.heardOf('doorOpened')).toMatchObject([{ lockerUid: ONE, commandId: 'c-1' }]);
  expect(peer.of('taken')).toEqual([{ type: 'taken', commandId: 'c-1' }]);
  walls.wall().close(ONE);
  peer.openDoor('c-1', ONE);
  await peer.heardOf('taken', 2);
  peer.say({ type: 'forget', commandId: 'c-1' });
  await peer.heardOf('taken', 3);
  peer.openDoor('c-1', ONE);
  await peer.heardOf('taken', 4);
  expect(walls.door(ONE).door).toBe('closed');
  expect(peer.of('doorOpened')).toHaveLength(1);
});

test('a person puts an item in only at an open door, and a closed door is told', async () => {
  const { walls, peer } = await connected();
  expect(() => walls.wall().moveItem(ONE, true)).toThrow('The door of locker 1 is shut');
  peer.openDoor('c-1', ONE);
  await peer.heardOf('doorOpened');
  walls.wall().moveItem(ONE, true);
  walls.wall().close(ONE);
  const [closed] = await peer.heardOf('doorClosed');
  expect(closed).toMatchObject({ lockerUid: ONE });
  expect(walls.door(ONE).item).toBe(true);
});

test('a command after its last instant, by the clock of the service, opens nothing', async () => {
  const { walls, peer } = await connected();
  peer.aheadMs = 3_600_000;
  // Not a number of its own: on a slow machine the wall may have connected once more before.
  const hellos = peer.of('hello').length;
  peer.cut();
  await peer.heardOf('hello', hellos + 1);
  // Not by a hair: the wall reads the service's clock when the welcome reaches it, which may be some time after it was said.
  peer.openDoor('c-late', ONE, -60_000);
  expect(await peer.heardOf('commandFailed')).toMatchObject([
    { commandId: 'c-late', reason: expect.stringContaining('too late') },
  ]);
  // An hour late by the clock of the wall, and in time by that of the service.
  peer.openDoor('c-in-time', TWO);
  expect(await peer.heardOf('doorOpened')).toMatchObject([{ commandId: 'c-in-time' }]);
  expect(walls.door(ONE).door).toBe('closed');
});

test('a command for a locker that the wall has not fails in words', async () => {
  const { peer } = await connected();
  peer.openDoor('c-1', 'pup-2-1');
  expect(await peer.heardOf('commandFailed')).toMatchObject([{ reason: 'the wall has no such locker' }]);
});

test('a command that was asked about before it came opens nothing when it comes', async () => {
  const { walls, peer } = await connected();
  peer.say({ type: 'ask', commandId: 'c-1' });
  expect(await peer.heardOf('commandState')).toMatchObject([{ commandId: 'c-1', state: 'unknown' }]);
  peer.openDoor('c-1', ONE);
  await peer.heardOf('taken');
  peer.say({ type: 'ask', commandId: 'c-1' });
  expect(await peer.heardOf('commandState', 2)).toMatchObject([{}, { state: 'unknown' }]);
  expect(walls.door(ONE).door).toBe('closed');
});

test('what was not acknowledged is sent again, in order, on the next connection, and nothing else', {
  tags: 'long',
}, async () => {
  const { walls, peer } = await connected();
  peer.acknowledges = false;
  peer.openDoor('c-1', ONE);
  await peer.heardOf('doorOpened');
  walls.wall().close(ONE);
  await peer.heardOf('doorClosed');
  const before = peer.heard.length;
  peer.taken = peer.of('doorOpened')[0]?.id ?? 0;
  peer.acknowledges = true;
  peer.cut();
  await peer.heardOf('doorClosed', 2);
  expect(peer.heard.slice(before)).toEqual([
    expect.objectContaining({ type: 'hello', commands: [{ commandId: 'c-1', state: 'opened' }] }),
    peer.of('doorClosed')[0],
  ]);
});

test('what happens while it is not connected is told afterwards', async () => {
  const { walls, peer } = await connected();
  walls.wall().plugIn(false);
  await expect.poll(() => walls.wall().view().isConnected).toBe(false);
  walls.wall().openWithKey(TWO);
  walls.wall().close(TWO);
  expect(await walls.wall().typeCode('123456')).toEqual({ outcome: 'offline' });
  walls.wall().plugIn(true);
  await peer.heardOf('doorClosed');
  expect(peer.of('doorOpened')).toMatchObject([{ lockerUid: TWO }]);
  expect(peer.of('codeTyped')).toEqual([]);
});

test('a wall that starts again has its doors, its journal and its commands, and no id twice', async () => {
  const { walls, peer } = await connected();
  peer.openDoor('c-1', ONE);
  await peer.heardOf('doorOpened');
  walls.wall().moveItem(ONE, true);
  peer.onCode = () => peer.cut();
  void walls.wall().typeCode('987654');
  const [typed] = await peer.heardOf('codeTyped');
  expect(await walls.memory()).not.toContain('987654');
  await walls.stop();
  const hellos = peer.of('hello').length;
  await walls.start();
  const hello = (await peer.heardOf('hello', hellos + 1)).at(-1);
  expect(hello?.doors[0]).toEqual({ lockerUid: ONE, door: 'open' });
  expect(hello?.commands).toEqual([{ commandId: 'c-1', state: 'opened' }]);
  expect(hello?.journal).toBe(peer.of('hello')[0]?.journal);
  await expect.poll(() => walls.wall().view().isConnected).toBe(true);
  walls.wall().close(ONE);
  const [closed] = await peer.heardOf('doorClosed');
  expect(closed?.id).toBeGreaterThan(typed?.id ?? Number.POSITIVE_INFINITY);
});

test('a code opens the door that the service names', async () => {
  const { walls, peer } = await connected();
  peer.onCode = ({ id, code }) => {
    expect(code).toBe('123456');
    const opens = { lockerUid: TWO, commandId: 'c-1', goal: 'PickUp' } as const;
    // The door may be open before the answer comes.
    peer.openDoor('c-1', TWO);
    peer.say({ type: 'codeAnswered', id, opens });
  };
  expect(await walls.wall().typeCode('123456')).toEqual({
    outcome: 'opened',
    lockerUid: TWO,
    lockerName: '2',
    goal: 'PickUp',
    door: 'open',
  });
});

test.each([
  [{ outcome: 'wrong' }, { error: 'InvalidAccessCode' }],
  [
    { outcome: 'tooMany', waitMs: 0 },
    { error: 'InvalidAccessCode', retryAt: '2026-11-21T12:00:00.000Z' },
  ],
  [{ outcome: 'tooMany', waitMs: 180_000 }, { error: 'RateLimitExceeded' }],
  [{ outcome: 'failed' }, { error: 'UnlockFailed' }],
] as const)('a refused code is %j', async (outcome, answer) => {
  const { walls, peer } = await connected();
  peer.onCode = ({ id }) => peer.say({ type: 'codeAnswered', id, opens: null, ...answer });
  expect(await walls.wall().typeCode('1')).toEqual(outcome);
});

test('a code that was not taken is sent again after a short loss of the connection', async () => {
  const { walls, peer } = await connected();
  peer.acknowledges = false;
  peer.onCode = ({ id }) => {
    if (peer.of('codeTyped').length === 1) peer.cut();
    else peer.say({ type: 'codeAnswered', id, opens: null, error: 'InvalidAccessCode' });
  };
  expect(await walls.wall().typeCode('123456')).toEqual({ outcome: 'wrong' });
  const [first, second] = peer.of('codeTyped');
  expect(second).toEqual(first);
});

test('a message that is none ends the connection; one of a later version does not', {
  tags: 'long',
}, async () => {
  const { walls, peer } = await connected();
  peer.sayAnything(JSON.stringify({ type: 'openWindow', window: 1 }));
  peer.openDoor('c-1', ONE);
  await peer.heardOf('doorOpened');
  const before = peer.connections;
  peer.sayAnything(JSON.stringify({ type: 'openDoor', commandId: 'c-2' }));
  await expect.poll(() => peer.connections).toBe(before + 1);
  await expect.poll(() => walls.wall().view().isConnected).toBe(true);
});

test('a service that answers none of three pings is left, and the wall connects again', {
  tags: 'long',
}, async () => {
  const { walls, peer } = await connected();
  peer.answersPings = false;
  peer.pings = 0;
  const before = peer.connections;
  await expect.poll(() => peer.connections).toBe(before + 1);
  expect(peer.pings).toBeGreaterThanOrEqual(3);
  await expect.poll(() => walls.wall().view().isConnected).toBe(true);
});

// Else two walls with one secret would throw each other out all the time.
test('a wall that a newer connection has replaced does not come back at once', { tags: 'long' }, async () => {
  const { peer } = await connected();
  const before = peer.connections;
  peer.refuse(4400);
  await expect.poll(() => peer.connections).toBe(before + 1);
  await peer.heardOf('hello', before + 1);
  peer.refuse(4409);
  await delay(2_000);
  expect(peer.connections).toBe(before + 1);
});

test('a stuck door stays shut and says so', async () => {
  const { walls, peer } = await connected();
  walls.wall().setFault(ONE, 'Stuck');
  peer.openDoor('c-1', ONE);
  expect(await peer.heardOf('commandFailed')).toMatchObject([
    { commandId: 'c-1', reason: 'the door is stuck' },
  ]);
  expect(walls.door(ONE).door).toBe('closed');
  // Somebody has come with the key: it need not move to be open.
  walls.wall().openWithKey(ONE);
  peer.openDoor('c-2', ONE);
  expect(await peer.heardOf('doorOpened', 2)).toMatchObject([{ lockerUid: ONE }, { commandId: 'c-2' }]);
});

test('a slow door opens later; one that is to be forgotten meanwhile stays shut', {
  tags: 'long',
}, async () => {
  const { walls, peer } = await connected();
  for (const uid of [ONE, TWO]) walls.wall().setFault(uid, 'Slow');
  peer.openDoor('c-1', ONE);
  peer.openDoor('c-2', TWO);
  await peer.heardOf('taken', 2);
  expect(walls.door(ONE).door).toBe('closed');
  peer.say({ type: 'forget', commandId: 'c-2' });
  expect(await peer.heardOf('doorOpened')).toMatchObject([{ commandId: 'c-1' }]);
  expect(walls.door(TWO).door).toBe('closed');
});

test('a door that lies says that it opened, or that it stayed shut, and neither is true', async () => {
  const { walls, peer } = await connected();
  walls.wall().setFault(ONE, 'SaysOpened');
  walls.wall().setFault(TWO, 'SaysShut');
  peer.openDoor('c-1', ONE);
  peer.openDoor('c-2', TWO);
  expect(await peer.heardOf('doorOpened')).toMatchObject([{ commandId: 'c-1' }]);
  expect(await peer.heardOf('commandFailed')).toMatchObject([{ commandId: 'c-2' }]);
  expect(walls.door(ONE)).toMatchObject({ door: 'closed', contact: 'open' });
  expect(walls.door(TWO)).toMatchObject({ door: 'open', contact: 'closed' });
});
