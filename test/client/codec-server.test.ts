// The codec server over HTTP: who may ask, from which page, and what it answers to what is not a payload.
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CodecServer, startCodecServer } from '../../client/codec-server/server.ts';
import { readCodecServerSettings } from '../../client/codec-server/settings.ts';
import { CONNECTION_BOUNDS } from '../../shared/http/bound-connections.ts';
import { isFirstClosed } from '../support/idle-connections.ts';

const secret = randomBytes(32).toString('hex');
const bearer = { authorization: `Bearer ${secret}` };
const origin = 'https://temporal.example';
const variables = {
  LOCKERFLOW_PAYLOAD_KEYS: `2026-01:${randomBytes(32).toString('base64')}`,
  CODEC_SERVER_PORT: '0',
  CODEC_SERVER_ORIGINS: `${origin} http://127.0.0.1:8233`,
  CODEC_SERVER_SECRET: secret,
};
let server: CodecServer;

beforeAll(async () => {
  server = await startCodecServer(readCodecServerSettings(variables));
});
afterAll(() => server.close());

const { metadata, data } = defaultPayloadConverter.toPayload({ firstName: 'Anna' }) ?? {};
const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
const plain = { metadata: { encoding: text(metadata?.encoding) }, data: text(data) };

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function payloadsOf(response: Response): Promise<(typeof plain)[]> {
  expect(response.status).toBe(200);
  return ((await response.json()) as { payloads: (typeof plain)[] }).payloads;
}

describe('the codec server', () => {
  it('encrypts and decrypts for a program that has the secret', async () => {
    const encrypted = await payloadsOf(await post('/encode', { payloads: [plain] }, bearer));
    expect(JSON.stringify(encrypted)).not.toContain(plain.data);
    expect(await payloadsOf(await post('/decode', { payloads: encrypted }, bearer))).toEqual([plain]);
    expect(await payloadsOf(await post('/decode', { payloads: [plain] }, bearer))).toEqual([plain]);
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['another secret', { authorization: `Bearer ${secret.slice(1)}` }],
    ['the secret in another scheme', { authorization: `Basic ${secret}` }],
    ['an invented cookie', { cookie: 'lockerflow-codec=invented' }],
  ])('refuses a caller that comes with %s', async (_, headers) => {
    const answer = await post('/decode', { payloads: [plain] }, headers);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(plain.data);
  });

  it('answers pages of the origins that are set, and no others', async () => {
    const preflight = await fetch(`${server.url}/decode`, { method: 'OPTIONS', headers: { origin } });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization, content-type, x-namespace',
      vary: 'origin',
    });
    const answer = await post('/decode', { payloads: [plain] }, { ...bearer, origin });
    expect(await payloadsOf(answer)).toEqual([plain]);
    for (const other of [
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      'http://temporal.example',
    ]) {
      const refused = await post('/decode', { payloads: [plain] }, { ...bearer, origin: other });
      expect(refused.status).toBe(403);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
      expect(await refused.text()).not.toContain(plain.data);
    }
  });

  it('lets a browser in that has signed in on its page, by a cookie without the secret', async () => {
    expect(await (await fetch(`${server.url}/`)).text()).toContain('action="/sign-in"');
    const signIn = (given: string) =>
      fetch(`${server.url}/sign-in`, { method: 'POST', body: new URLSearchParams({ secret: given }) });
    const wrong = await signIn('wrong');
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('set-cookie')).toBeNull();
    const cookie = (await signIn(secret)).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict;/);
    expect(cookie).not.toContain(secret);
    const [pair = ''] = cookie.split(';');
    expect(await payloadsOf(await post('/decode', { payloads: [plain] }, { cookie: pair, origin }))).toEqual([
      plain,
    ]);
  });

  it('ends a sign-in after 12 hours, also for a copy of the cookie that no browser forgets', async () => {
    const { headers } = await post('/sign-in', `secret=${secret}`);
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    const statusWith = async (given: string) =>
      (await post('/decode', { payloads: [] }, { cookie: given })).status;
    const [, until = ''] = /=(\d+)\./.exec(cookie) ?? [];
    expect(await statusWith(cookie)).toBe(200);
    expect(await statusWith(cookie.replace(until, String(Number(until) + 1)))).toBe(401);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await statusWith(cookie)).toBe(401);
  });

  it('reads no long body of somebody who has not signed in', async () => {
    expect((await post('/sign-in', `secret=${'x'.repeat(5_000)}`)).status).toBe(413);
    expect((await post('/decode', { payloads: [] })).status).toBe(401);
    expect((await post('/decoded', { payloads: ['x'.repeat(5_000)] })).status).toBe(413);
  });

  it.each<[string, string, unknown, number]>([
    ['what is not JSON', '/decode', '{', 400],
    ['no payloads', '/decode', {}, 400],
    ['payloads that are not base64', '/decode', { payloads: [{ data: '*' }] }, 400],
    ['another path', '/decoded', { payloads: [] }, 404],
  ])('says what was wrong with %s', async (_, path, body, status) => {
    const answer = await post(path, body, bearer);
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { message: string }).message).toMatch(/expected|must be/);
  });

  it('names the key that a payload lacks', async () => {
    const encryption = { encoding: 'binary/encrypted', 'encryption-key-id': '2025-12' };
    const foreign = {
      metadata: Object.fromEntries(
        Object.entries(encryption).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
      ),
      data: plain.data,
    };
    const answer = await post('/decode', { payloads: [foreign] }, bearer);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('2025-12');
  });
});

describe('its connections', () => {
  it.each([
    ['of a network have a bound', '', true],
    ['of a proxy that is named have none of their own', '127.0.0.0/8', false],
  ])('%s', async (_, proxies, isClosed) => {
    const settings = readCodecServerSettings({ ...variables, CODEC_SERVER_TRUSTED_PROXIES: proxies });
    const own = await startCodecServer(settings, { ...CONNECTION_BOUNDS, connectionsOfNetwork: 1 });
    onTestFinished(() => own.close());
    expect(await isFirstClosed(own.url)).toBe(isClosed);
  });
});

describe('its settings', () => {
  it('name every one that is wrong', () => {
    const reading = () =>
      readCodecServerSettings({
        CODEC_SERVER_ORIGINS: 'temporal.example',
        CODEC_SERVER_SECRET: 'short',
        CODEC_SERVER_TRUSTED_PROXIES: 'balancer',
      });
    for (const name of [
      'LOCKERFLOW_PAYLOAD_KEYS',
      'CODEC_SERVER_ORIGINS',
      'CODEC_SERVER_SECRET',
      'CODEC_SERVER_TRUSTED_PROXIES',
    ])
      expect(reading).toThrow(name);
  });
});
