// Why a callback is refused: told to the receiver's log by key, clock or form, and to verifyCallback's caller.
import { expect, test } from 'vitest';
import { verifyCallback } from '../../../client/callbacks.ts';
import { keyFingerprint } from '../../../shared/settings/key-fingerprint.ts';
import { bodyOf, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

const uid = 'S-4711';
const body = bodyOf(uid, 'ReadyForPickup');
const otherKey = 'whsec_c29tZSBvdGhlciBrZXkgdGhhbiBvdXJz';
const anHourAgo = new Date(Date.now() - 3_600_000);
const right = signed(uid, body);
const changed = (headers: Record<string, string | undefined>) => ({
  body,
  headers: { ...right.headers, ...headers },
});
const check = { keys: CALLBACK_KEY };

test('a callback of the service is verified, from plain headers and from those of fetch', () => {
  for (const headers of [
    right.headers,
    new Headers(right.headers),
    Object.fromEntries(Object.entries(right.headers).map(([name, value]) => [name.toUpperCase(), value])),
  ])
    expect(verifyCallback({ headers, body }, check)).toMatchObject({
      verified: true,
      callback: { messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } },
    });
});

test.each([
  ['key', signed(uid, body, { key: otherKey }), /^x-callback-hmac is not by the key .*fingerprint/],
  ['key', { ...right, body: bodyOf(uid, 'Cancelled') }, /^webhook-signature .*changed on its way/],
  [
    'clock',
    signed(uid, body, { at: anHourAgo }),
    /^signed 3\d{3} s before .* allowed are 300 s; check the clocks/,
  ],
  ['form', changed({ 'x-callback-hmac': undefined }), /^x-callback-hmac is missing$/],
  [
    'form',
    changed({ 'x-callback-hmac': 'abc' }),
    /^x-callback-hmac has 3 characters, expected the 44 of sha256/,
  ],
  ['form', changed({ 'webhook-timestamp': 'noon' }), /^webhook-timestamp is not a number/],
  ['form', changed({ 'webhook-signature': 'v2,abc' }), /^webhook-signature has no signature/],
] as const)('a callback that is not genuine is refused with 401: %s', (why, sent, words) => {
  const checked = verifyCallback(sent, check);
  expect(checked).toMatchObject({ verified: false, status: 401, why, words: expect.stringMatching(words) });
});

test('a body that is signed and is not a callback is refused with 400', () => {
  const signedText = signed(uid, '{"messageType": "ShipmentStatusUpdate"}');
  expect(verifyCallback(signedText, check)).toMatchObject({
    status: 400,
    why: 'form',
    words: expect.stringContaining('not a callback'),
  });
  expect(verifyCallback(signed(uid, 'hello'), check)).toMatchObject({
    status: 400,
    words: expect.stringContaining('not JSON'),
  });
});

test('the words name a key by its fingerprint and show no key', () => {
  const checked = verifyCallback(signed(uid, body, { key: otherKey }), check);
  expect(JSON.stringify(checked)).toContain(keyFingerprint(CALLBACK_KEY));
  expect(JSON.stringify(checked)).not.toContain(CALLBACK_KEY.slice(6, 20));
  expect(keyFingerprint(CALLBACK_KEY)).not.toBe(keyFingerprint(otherKey));
});

test('without a key nothing is checked: that is an error of the program', () => {
  for (const keys of ['', []]) expect(() => verifyCallback(right, { keys })).toThrow(/authKey/);
});
