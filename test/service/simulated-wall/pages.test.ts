// The pages of the walls over HTTP: who may call them, what they let a browser do, and what they refuse.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProtocolPeer } from './protocol-peer.ts';
import { type TestWalls, wallAndPeer } from './start-walls.ts';

let walls: TestWalls;
let peer: ProtocolPeer;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  ({ walls, peer } = await wallAndPeer(stack));
});
afterAll(() => stack.disposeAsync());

const json = { 'content-type': 'application/json' };
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${walls.address}/walls/${path}`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** With headers that fetch does not let a program set. */
function statusOf(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${walls.address}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });
}

test.each(['/', '/walls/pup-1', '/walls/pup-1/doors', '/kiosk.mjs', '/kiosk.css', '/walls'])(
  '%s has a strict content security policy and asks no other site for anything',
  async (path) => {
    const answer = await fetch(`${walls.address}${path}`);
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).not.toMatch(/(?:src|href|from|url)\s*[=(]?\s*["'](?:https?:)?\/\//);
  },
);

test('a page of no wall is not found', async () => {
  for (const path of ['/walls/pup-2', '/walls/pup-2/doors', '/walls/pup-2/events', '/../package.json'])
    expect((await fetch(`${walls.address}${path}`)).status, path).toBe(404);
  expect((await post('pup-2/code', { code: '1' })).status).toBe(404);
});

test('another name for this address is refused: a site cannot reach the pages under a name of its own', async () => {
  expect(await statusOf('/walls', { host: 'evil.example' })).toBe(403);
  expect(await statusOf('/walls', { host: 'localhost:8089' })).toBe(200);
});

test('a post from another site is refused, and one that is not JSON', async () => {
  const path = '/walls/pup-1/key';
  expect(await statusOf(path, { ...json, origin: 'https://evil.example' }, 'POST')).toBe(403);
  expect(await statusOf(path, { ...json, 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
  expect((await post('pup-1/key', 'lockerUid=pup-1-1', { 'content-type': 'text/plain' })).status).toBe(415);
  expect(walls.door('pup-1-1').door).toBe('closed');
});

describe('what is wrong is said in words', () => {
  test.each([
    ['key', {}, /^lockerUid: is required \(expected string\)$/],
    ['item', { present: 1 }, /^lockerUid: is required .*; present: must be true or false, not a number$/],
    ['key', [], /^the body: must be an object, not a list$/],
    ['key', { lockerUid: 'pup-1-99' }, 'has no locker "pup-1-99"'],
    ['item', { lockerUid: 'pup-1-1', present: true }, 'The door of locker 1 is shut; open it first'],
    ['fault', { lockerUid: 'pup-1-1', fault: 'Melted' }, /^fault: must be one of None, .*, not "Melted"$/],
    ['code', { code: '1'.repeat(33) }, /^code: must have at most 32 characters$/],
    ['code', '{', 'JSON'],
  ])('%s with %j', async (action, body, words) => {
    const answer = await post(`pup-1/${action}`, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(words) });
  });

  test('a long body is not read', async () => {
    const answer = await post('pup-1/code', { code: 'x'.repeat(10_000) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({
      message: 'The body is larger than 4,096 bytes: send a smaller one',
    });
  });
});

test('a code goes to the service, and its answer to the page; no page is told a code', async () => {
  peer.onCode = ({ id }) => peer.say({ type: 'codeAnswered', id, opens: null, error: 'InvalidAccessCode' });
  const answer = await post('pup-1/code', { code: '424242' });
  expect(await answer.json()).toEqual({ outcome: 'wrong' });
  expect(JSON.stringify(walls.wall().view())).not.toContain('424242');
});

test('a page sees each change of its wall', async () => {
  const stream = await fetch(`${walls.address}/walls/pup-1/events`);
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  const sees = async (words: string) => {
    while (!seen.includes(words))
      seen += (await reader?.read())?.value ?? expect.unreachable('the stream ended');
  };
  await sees('"name":"Central"');
  expect(seen).not.toContain('"door":"open"');
  await post('pup-1/key', { lockerUid: 'pup-1-2' });
  await sees('"door":"open"');
  await reader?.cancel();
});

test('it is alive, ready while every wall is connected, and lists its walls', async () => {
  const health = async (what: string) => (await fetch(`${walls.address}/health/${what}`)).status;
  expect(await health('live')).toBe(200);
  expect(await health('ready')).toBe(200);
  peer.welcomes = false;
  peer.cut();
  await expect.poll(() => health('ready')).toBe(503);
  peer.welcomes = true;
  peer.cut();
  await expect.poll(() => health('ready')).toBe(200);
  const listed = await (await fetch(`${walls.address}/walls`)).json();
  expect(listed).toEqual({
    walls: [{ pupUid: 'pup-1', name: 'Central', isConnected: true, lockers: 3 }],
  });
});
