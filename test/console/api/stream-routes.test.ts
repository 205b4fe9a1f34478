// A stream shows what its person may see at each event, and ends with the session.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../../console/api/limits.ts';
import { addRoute } from '../../../console/api/route.ts';
import { streamRoutes } from '../../../console/api/stream-routes.ts';
import { Live } from '../../../console/live/live.ts';
import { guardConsole } from '../../../console/sign-in/guard.ts';
import { passwordHash } from '../../../console/sign-in/password.ts';
import { Sessions } from '../../../console/sign-in/sessions.ts';
import { cookieNamesAt, SignIn } from '../../../console/sign-in/sign-in.ts';
import { signInRoutes } from '../../../console/sign-in/sign-in-routes.ts';
import { UsersFile } from '../../../console/sign-in/users-file.ts';
import type { ShownProcesses } from '../../../processes/views/shown-process.ts';

const PASSWORD = 'correct horse battery';
const QUICK = { N: 1_024, r: 8, p: 1 };
const HOUR_MS = 3_600_000;

interface Streamed {
  readonly live: Live;
  readonly connections: () => Promise<number>;
  readonly usersPath: string;
  readonly address: string;
  readonly headers: { readonly cookie: string; readonly origin: string };
  /** What the topic gives from now on, told to everybody who looks. */
  tell(value: string): void;
  open(topic?: string): Promise<Response>;
}

/** A console with a topic of each role, and anna, who may decide. */
async function streamed(shown = {} as ShownProcesses): Promise<Streamed> {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-stream-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const usersPath = join(folder, 'users');
  writeFileSync(usersPath, `anna:look,decide:${await passwordHash(PASSWORD, QUICK)}\n`);
  const sessions = new Sessions({ file: undefined, lastMs: HOUR_MS, link: undefined });
  const users = new UsersFile(usersPath);
  const signIn = new SignIn({ users, sessions, linkName: 'operator' });
  let now = 'before';
  const live = new Live(() => undefined);
  const read = async () => now;
  live.topic({ path: '/v1/seen', access: { right: 'read' }, read, everyMs: HOUR_MS });
  live.topic({ path: '/v1/secret/{key}', access: { role: 'decide' }, read, everyMs: HOUR_MS });
  live.topic({ path: '/v1/processes/{key}', access: { right: 'read' }, read, everyMs: HOUR_MS });
  const app = fastify({ forceCloseConnections: true });
  guardConsole(app, { signIn, tokens: undefined, url: undefined });
  const temporal = { whileThere: <Answer>(ask: () => Promise<Answer>) => ask() };
  for (const route of streamRoutes(live, shown)) addRoute({ app, live, temporal }, route);
  await app.register(signInRoutes(signIn, { ownUrl: undefined, sessionMs: HOUR_MS, temporalUiUrl: '' }));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    live.stop();
    await app.close();
  });
  const secret = await signIn.byPassword('anna', PASSWORD);
  const headers = {
    cookie: `${cookieNamesAt(new URL(address).host, false).session}=${secret}`,
    origin: address,
  };
  return {
    live,
    connections: () => promisify(app.server.getConnections.bind(app.server))(),
    usersPath,
    address,
    headers,
    tell(value) {
      now = value;
      live.changed('/v1/seen');
      live.changed('/v1/secret/');
    },
    open: (of = '/v1/seen?x=1') => fetch(`${address}/v1/stream?${new URLSearchParams({ of })}`, { headers }),
  };
}

/** Reads until the text comes, or the stream ends. */
async function readUntil(reader: ReadableStreamDefaultReader<string>, text: string): Promise<string> {
  let all = '';
  while (!all.includes(text)) {
    const { done, value } = await reader.read();
    if (done) return `${all}(end)`;
    all += value;
  }
  return all;
}

async function readerOf({ body }: Response): Promise<ReadableStreamDefaultReader<string>> {
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect(await readUntil(reader, '"before"')).toContain('"before"');
  return reader;
}

const endings: Readonly<Record<string, (at: Streamed) => unknown>> = {
  'the person signs out': ({ address, headers }) =>
    fetch(`${address}/api/sign-out`, { method: 'POST', headers }),
  'the person is taken out of the file of users': ({ usersPath }) => writeFileSync(usersPath, '# nobody\n'),
  'the person gets another password': async ({ usersPath }) =>
    writeFileSync(usersPath, `# new\nanna:look,decide:${await passwordHash('another password', QUICK)}\n`),
  'the file of users cannot be read': ({ usersPath }) => rm(usersPath),
  'the session is over': () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
  },
};

test.each(Object.entries(endings))('when %s, the stream ends, and nothing new is seen', async (_, end) => {
  const at = await streamed();
  const reader = await readerOf(await at.open());
  await end(at);
  at.tell('after');
  const rest = await readUntil(reader, '"after"');
  expect(rest).not.toContain('after');
  expect(rest).toMatch(/\(end\)$/);
  expect((await at.open()).status).toBeGreaterThanOrEqual(400);
});

test('when a session ends while nothing changes, its stream ends within a second', async () => {
  const at = await streamed();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const reader = await readerOf(await at.open());
  await endings['the person signs out']?.(at);
  vi.advanceTimersByTime(1_000);
  expect(await readUntil(reader, '"after"')).toMatch(/\(end\)$/);
});

test('a stream goes on while its session does', async () => {
  const at = await streamed();
  const reader = await readerOf(await at.open());
  at.tell('after');
  expect(await readUntil(reader, '"after"')).toContain('"after"');
  await reader.cancel();
});

test('a person has a bounded number of streams, and one more once one of them has ended', async () => {
  const at = await streamed();
  const opened = await Promise.all(Array.from({ length: limits.streamsOfPerson }, () => at.open()));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await at.open()).status).toBe(429);
  await opened[0]?.body?.cancel();
  await vi.waitUntil(async () => (await at.open()).status === 200, { timeout: 60_000 });
});

test('a topic is refused to a person without its role, and its stream ends when the role is taken away', async () => {
  const at = await streamed();
  const reader = await readerOf(await at.open('/v1/secret/x'));
  const text = readFileSync(at.usersPath, 'utf8');
  writeFileSync(at.usersPath, text.replace('look,decide', 'look'));
  at.tell('after');
  expect(await readUntil(reader, '"after"')).toMatch(/^(?!.*after).*\(end\)$/s);
  const refused = await at.open('/v1/secret/x');
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('the role decide')]);
  expect((await at.open('/v1/none')).status).toBe(404);
});

test('the cookie of before a new password lets nobody in', async () => {
  const at = await streamed();
  const me = async () => (await fetch(`${at.address}/api/me`, { headers: at.headers })).json();
  expect(await me()).toMatchObject({ user: { name: 'anna' } });
  await endings['the person gets another password']?.(at);
  expect(await me()).toMatchObject({ user: null });
});

const patience = { timeout: 30_000 };

test('whoever goes before a stream has begun holds none', async () => {
  const asked = Promise.withResolvers<void>();
  const read = vi.fn(() => asked.promise);
  const { address, headers, live, connections } = await streamed({ read } as unknown as ShownProcesses);
  const watched = vi.spyOn(live, 'watch');
  const stream = `${address}/v1/processes/key/stream`;
  for (let count = 1; count <= limits.streams; count++) {
    const gone = new AbortController();
    const opening = fetch(stream, { headers, signal: gone.signal });
    await vi.waitUntil(() => read.mock.calls.length === count, patience);
    gone.abort();
    await expect(opening).rejects.toThrow();
  }
  await vi.waitUntil(async () => (await connections()) === 0, patience);
  asked.resolve();
  const { status, body } = await fetch(stream, { headers });
  await body?.cancel();
  expect(status).toBe(200);
  expect(watched).toHaveBeenCalledTimes(1);
});
