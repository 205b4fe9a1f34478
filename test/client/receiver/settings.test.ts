// The receiver's settings: what is wrong is named, all of it at once, before the receiver starts.
import { expect, test } from 'vitest';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';

const key = { LOCKER_CALLBACK_KEY: 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcw==' };

test('every wrong setting is named, with what was expected', () => {
  const wrong = { CALLBACK_LOG_LEVEL: 'loud', CALLBACK_PORT: '70000', LOCKER_CALLBACK_STRICT: 'perhaps' };
  const reading = () => readReceiverSettings({ ...key, ...wrong });
  expect(reading).toThrow(/^The callback receiver cannot start; these settings are wrong:\n/);
  expect(reading).toThrow(/ {2}CALLBACK_LOG_LEVEL: must be one of .*silent/);
  expect(reading).toThrow(/ {2}CALLBACK_PORT: .*65535/);
  expect(reading).toThrow(/ {2}LOCKER_CALLBACK_STRICT: must be true or false/);
});

test('an empty setting counts as absent', () => {
  expect(readReceiverSettings({ ...key, CALLBACK_LOG_LEVEL: '', CALLBACK_PORT: '' })).toMatchObject({
    logLevel: 'info',
    port: 8090,
  });
});
