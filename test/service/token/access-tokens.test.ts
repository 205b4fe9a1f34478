// @module-tag invariant
// Which bearer tokens the operations take: forged, expired and stolen ones against a real service and its real keys.
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, expect, test, vi } from 'vitest';
import { tokenResponse } from '../../../contract/index.ts';
import { SigningKeys } from '../../../service/token/signing-keys.ts';
import { accessToken, post } from '../../support/caller.ts';
import { createTestService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';

let keyId: string;
let privateKey: CryptoKey;
let publicKey: object;
let secretId: unknown;

const service = useInFile(() => createTestService());
beforeAll(async () => {
  secretId = decodeJwt(await accessToken(service.address)).client_secret_id;
  const key = await new SigningKeys(service.database, service.settings.encryption).current();
  keyId = key.keyId;
  publicKey = key.publicJwk;
  privateKey = key.privateKey;
});

const now = () => Math.floor(Date.now() / 1_000);
const claims = (): JWTPayload => ({
  iss: service.address,
  aud: 'integration_api',
  sub: 'demo',
  scope: 'integration_api',
  client_secret_id: secretId,
  exp: now() + 60,
});
const claimsWithout = (left: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims()).filter(([name]) => name !== left));
const header = () => ({ alg: 'ES256', kid: keyId, typ: 'at+jwt' });

async function statusWith(authorization: string): Promise<number> {
  const reply = await post(`${service.address}/v1/Account/GetAccount`, '{}', {
    'content-type': 'application/json',
    authorization,
  });
  if (reply.status === 401) expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
  return reply.status;
}

const signed = (payload: JWTPayload, protectedHeader = header()) =>
  new SignJWT(payload).setProtectedHeader(protectedHeader).sign(privateKey);

test('a token with the right claims is taken, without regard to the case of the scheme', async () => {
  const token = await signed(claims());
  expect(await statusWith(`Bearer ${token}`)).toBe(200);
  expect(await statusWith(`bearer ${token}`)).toBe(200);
});

/** The present moment of this process, and so of the service in it. */
async function at<Result>(epochMs: number, work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: epochMs });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

// assumptions: The wire, When a token expires
test('a token is refused a second after expires_in has passed, also if it was taken before', async () => {
  const form = { grant_type: 'client_credentials', scope: 'integration_api' };
  const started = Date.now() + 950;
  const reply = await at(started, () =>
    post(
      `${service.address}/connect/token`,
      new URLSearchParams({ ...form, client_id: 'demo', client_secret: 'demo-secret' }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    ),
  );
  const { access_token: token, expires_in } = tokenResponse.parse(reply.body);
  const expired = started + expires_in * 1_000;
  expect(await at(expired - 1, () => statusWith(`Bearer ${token}`))).toBe(200);
  expect(await at(expired + 1_000, () => statusWith(`Bearer ${token}`))).toBe(401);
  const unseen = await signed({ ...claims(), exp: now() - 2 });
  expect(await statusWith(`Bearer ${unseen}`)).toBe(401);
});

test.each<[string, () => JWTPayload]>([
  ['of another issuer', () => ({ ...claims(), iss: 'http://elsewhere' })],
  ['for another audience', () => ({ ...claims(), aud: 'elsewhere' })],
  ['of another scope', () => ({ ...claims(), scope: 'admin' })],
  ['that names no client', () => claimsWithout('sub')],
  ['that names no secret', () => claimsWithout('client_secret_id')],
  ['of a client that does not exist', () => ({ ...claims(), sub: 'nobody' })],
  ['that never expires', () => claimsWithout('exp')],
  ['that was issued in the future', () => ({ ...claims(), iat: now() + 60 })],
])('a token %s is refused', async (_what, payload) => {
  expect(await statusWith(`Bearer ${await signed(payload())}`)).toBe(401);
});

test('a token signed with another key is refused, with any key id', async () => {
  const stranger = await generateKeyPair('ES256');
  for (const kid of [keyId, 'unknown']) {
    const token = await new SignJWT(claims())
      .setProtectedHeader({ ...header(), kid })
      .sign(stranger.privateKey);
    expect(await statusWith(`Bearer ${token}`)).toBe(401);
  }
});

test('a token that uses the public key as a shared secret, or no signature, is refused', async () => {
  const secret = new TextEncoder().encode(JSON.stringify(publicKey));
  const shared = await new SignJWT(claims()).setProtectedHeader({ ...header(), alg: 'HS256' }).sign(secret);
  expect(await statusWith(`Bearer ${shared}`)).toBe(401);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  expect(await statusWith(`Bearer ${part({ ...header(), alg: 'none' })}.${part(claims())}.`)).toBe(401);
});

test('a token that carries its own key is refused', async () => {
  const stranger = await generateKeyPair('ES256', { extractable: true });
  const token = await new SignJWT(claims())
    .setProtectedHeader({ ...header(), kid: 'own', jwk: await exportJWK(stranger.publicKey) })
    .sign(stranger.privateKey);
  expect(await statusWith(`Bearer ${token}`)).toBe(401);
});

test('an altered token is refused even while the true one is remembered', async () => {
  const token = await signed(claims());
  expect(await statusWith(`Bearer ${token}`)).toBe(200);
  const [head = '', , signature = ''] = token.split('.');
  const other = Buffer.from(JSON.stringify({ ...claims(), sub: 'other' })).toString('base64url');
  expect(await statusWith(`Bearer ${head}.${other}.${signature}`)).toBe(401);
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Basic ZGVtbzpkZW1v',
  'Bearer a b',
  'Bearer not.a.jwt',
  `Bearer ${'x'.repeat(8_000)}`,
])('the header Authorization: %s is refused', async (authorization) => {
  expect(await statusWith(authorization)).toBe(401);
});
