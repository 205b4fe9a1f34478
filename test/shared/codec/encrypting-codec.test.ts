// Payloads: encrypted and back, while keys change; and what becomes of those that no key at hand opens.
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { dataConverter, payloadKeys } from '../../../shared/codec/data-converter.ts';
import { EncryptingCodec, UndecipherablePayload } from '../../../shared/codec/encrypting-codec.ts';
import { readPayloadKeys } from '../../../shared/codec/payload-keys.ts';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [one, two] = [newKey('2026-01'), newKey('2026-02')];
const codecOf = (...keys: string[]) => new EncryptingCodec(readPayloadKeys(keys.join(' ')));
const plain = defaultPayloadConverter.toPayload({ emailAddress: 'anna@example.com' }) as Payload;
const textOf = ({ data }: Payload) => Buffer.from(data ?? []).toString('latin1');

async function encryptedBy(codec: EncryptingCodec): Promise<Payload> {
  const [payload = plain] = await codec.encode([plain]);
  return payload;
}

async function opened(codec: EncryptingCodec, payload: Payload): Promise<unknown> {
  const [decoded = plain] = await codec.decode([payload]);
  return defaultPayloadConverter.fromPayload(decoded);
}

describe('a payload', () => {
  it('shows none of its content, and is never encrypted to the same bytes', async () => {
    const codec = codecOf(one);
    const payloads = [await encryptedBy(codec), await encryptedBy(codec)];
    expect(new Set(payloads.map(textOf)).size).toBe(2);
    for (const payload of payloads) {
      expect(textOf(payload)).not.toContain('anna');
      expect(await opened(codec, payload)).toEqual({ emailAddress: 'anna@example.com' });
    }
  });

  it('is opened by the key that it was encrypted with, as long as that is in the ring', async () => {
    const before = await encryptedBy(codecOf(one));
    const after = await encryptedBy(codecOf(two, one));
    expect(Buffer.from(after.metadata?.['encryption-key-id'] ?? []).toString()).toBe('2026-02');
    for (const payload of [before, after])
      expect(await opened(codecOf(two, one), payload)).toEqual({ emailAddress: 'anna@example.com' });
    await expect(opened(codecOf(two), before)).rejects.toThrow(
      'encrypted with the key "2026-01", which is not given; add it to LOCKERFLOW_PAYLOAD_KEYS',
    );
  });

  it('is not encrypted while the ring begins with the word plain, and is still read', async () => {
    const ring = readPayloadKeys(`plain ${one}`);
    const codec = new EncryptingCodec(ring);
    expect(await codec.encode([plain])).toEqual([plain]);
    expect(await opened(codec, await encryptedBy(codecOf(one)))).toEqual({
      emailAddress: 'anna@example.com',
    });
    expect(dataConverter(ring)).not.toHaveProperty('failureConverterPath');
  });

  it('that was never encrypted is read unchanged', async () => {
    expect(await opened(codecOf(one), plain)).toEqual({ emailAddress: 'anna@example.com' });
  });

  it.each<[string, (data: Uint8Array) => Uint8Array]>([
    ['has changed by a bit', (data) => data.map((byte, index) => (index === 20 ? byte ^ 1 : byte))],
    ['was cut', (data) => data.subarray(0, -1)],
    ['is shorter than its nonce', (data) => data.subarray(0, 5)],
    ['is empty', () => new Uint8Array()],
  ])('that %s is refused as such', async (_, changed) => {
    const payload = await encryptedBy(codecOf(one));
    const forged = { ...payload, data: changed(payload.data ?? new Uint8Array()) };
    await expect(opened(codecOf(one), forged)).rejects.toThrow(UndecipherablePayload);
  });

  it('of another key under the same id is refused as such', async () => {
    const payload = await encryptedBy(codecOf(newKey('2026-01')));
    await expect(opened(codecOf(one), payload)).rejects.toThrow('another key has that id');
  });
});

describe('the setting of the keys', () => {
  it.each([undefined, ''])('is none where it is %j', (text) => {
    expect(payloadKeys({ LOCKERFLOW_PAYLOAD_KEYS: text })).toBeNull();
    expect(dataConverter(null)).toEqual({});
  });

  it.each([
    ['the word plain alone', 'plain'],
    ['nothing but blanks', ' \n'],
    ['no id', randomBytes(32).toString('base64')],
    ['a key that is too short', `one:${randomBytes(31).toString('base64')}`],
    ['a key that is too long', `one:${randomBytes(33).toString('base64')}`],
    ['what is not base64', 'one:pass*word'],
    ['an odd id', `o/ne:${randomBytes(32).toString('base64')}`],
    ['two keys with one id', `${newKey('one')} ${newKey('one')}`],
  ])('with %s is refused, and no part of it is shown', (_, text) => {
    const reading = () => payloadKeys({ LOCKERFLOW_PAYLOAD_KEYS: text });
    expect(reading).toThrow('LOCKERFLOW_PAYLOAD_KEYS: ');
    try {
      reading();
    } catch (error) {
      for (const word of text.split(/[\s:]/).filter((part) => part.length > 5))
        expect(String(error)).not.toContain(word);
    }
  });
});
