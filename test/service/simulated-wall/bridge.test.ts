// The bridge of docs/examples/wall-bridge, as the process that its README starts, between a locker board and a service.
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Child } from '../../../local/child-process.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { LockerBoard } from './locker-board.ts';
import { ProtocolPeer } from './protocol-peer.ts';

let board: LockerBoard;
let peer: ProtocolPeer;
let start: () => Child;

beforeEach(async () => {
  board = new LockerBoard();
  peer = new ProtocolPeer();
  const folder = await temporaryFolder();
  const env = {
    ...process.env,
    BRIDGE_SERVICE_URL: await peer.listen(),
    BRIDGE_BOARD_PORT: String(await board.listen()),
    BRIDGE_PUP_UID: 'pup-1',
    BRIDGE_CLIENT_ID: 'wall-1',
    BRIDGE_CLIENT_SECRET: 'secret-1',
    BRIDGE_DOORS: '{"pup-1-1": 1, "pup-1-2": 2}',
    BRIDGE_FILE: join(folder, 'bridge.json'),
  };
  start = () => nodeProgramOfTest(['docs/examples/wall-bridge/bridge.ts'], { env });
  onTestFinished(async () => {
    await board[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
});

const opens = () => board.asked.filter((line) => line.startsWith('OPEN'));

test('a code goes to the service, its door opens on the board, and all that happens is told', async () => {
  start();
  const [hello] = await peer.heardOf('hello');
  expect(hello?.doors).toEqual([
    { lockerUid: 'pup-1-1', door: 'closed' },
    { lockerUid: 'pup-1-2', door: 'closed' },
  ]);
  peer.onCode = ({ id, code }) => {
    const opening = { lockerUid: 'pup-1-2', commandId: 'c-1', goal: 'DropOff' } as const;
    peer.say({ type: 'codeAnswered', id, opens: code === '123456' ? opening : null });
    if (code === '123456') peer.openDoor('c-1', 'pup-1-2');
  };
  // The bridge hears the board as soon as the service has welcomed it.
  await expect
    .poll(() => {
      board.say('CODE 123456');
      return peer.of('doorOpened');
    })
    .toMatchObject([{ lockerUid: 'pup-1-2', commandId: 'c-1' }]);
  expect(opens()).toEqual(['OPEN 2']);
  board.shut(2);
  await peer.heardOf('doorClosed');
  board.say('CODE 999999');
  await expect.poll(() => board.asked).toContain('SHOW wrong');
  peer.say({ type: 'forget', commandId: 'c-1' });
  peer.openDoor('c-1', 'pup-1-2');
  await peer.heardOf('taken', 3);
  expect(opens()).toEqual(['OPEN 2']);
});

test.each([
  ['opened', { opens: true, answers: false }],
  ['failed', { opens: false, answers: false }],
] as const)('an answer of the board that is lost is found out by its count: %s', async (outcome, next) => {
  start();
  await peer.heardOf('hello');
  board.next = next;
  peer.openDoor('c-1', 'pup-1-1');
  if (outcome === 'opened') expect(await peer.heardOf('doorOpened')).toMatchObject([{ commandId: 'c-1' }]);
  else expect(await peer.heardOf('commandFailed')).toMatchObject([{ commandId: 'c-1' }]);
  expect(opens()).toEqual(['OPEN 1']);
});

test('a door that the board cannot open is told with the words of the board', async () => {
  start();
  await peer.heardOf('hello');
  board.next = { opens: false, answers: true };
  peer.openDoor('c-1', 'pup-1-1');
  expect(await peer.heardOf('commandFailed')).toMatchObject([{ commandId: 'c-1', reason: 'jammed shut' }]);
});

test('a bridge that is killed before it hears the board tells the truth when it is started again', {
  tags: 'long',
}, async () => {
  const bridge = start();
  await peer.heardOf('hello');
  peer.acknowledges = false;
  peer.openDoor('c-1', 'pup-1-1');
  await expect.poll(() => board.doors.get(1)?.isOpen).toBe(true);
  await bridge.kill();
  // What it had said may be lost: the service has nothing of it.
  peer.taken = 0;
  peer.heard.length = 0;
  peer.acknowledges = true;
  start();
  expect(await peer.heardOf('doorOpened')).toMatchObject([{ lockerUid: 'pup-1-1', commandId: 'c-1' }]);
  expect(opens()).toEqual(['OPEN 1']);
});
