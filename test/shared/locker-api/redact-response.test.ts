// What an error repeats of a service's words: as they were said, but for codes, persons and secrets; bounded, however long they are.
import { describe, expect, it } from 'vitest';
import { evidence, redact } from '../../../shared/locker-api/redact-response.ts';
import { atSizes } from '../../support/suite.ts';
import { apiError, book, clientSecret, withApi } from './api-under-test.ts';
import { failure, json } from './test-server.ts';

const MEGABYTE = 1_000_000;
/** More than the characters that are read for those that are shown. */
const READ = 5_000;

const longWords: [title: string, words: string][] = [
  ['one word', 'x'.repeat(MEGABYTE)],
  ['digits', '1'.repeat(MEGABYTE)],
  ['digits before a letter', `${'1'.repeat(MEGABYTE)}a`],
  ['at signs', '@'.repeat(MEGABYTE)],
  ['letters and at signs', 'a@'.repeat(MEGABYTE / 2)],
  ['plus signs', '+'.repeat(MEGABYTE)],
  ['blanks', ' '.repeat(MEGABYTE)],
  ['numbers before blanks', `1234${' '.repeat(MEGABYTE)}`],
  ['quotation marks', '{"'.repeat(MEGABYTE / 2)],
  ['keys before blanks', `{"a"${' '.repeat(MEGABYTE)}`],
  ['backslashes', `{"${'\\'.repeat(MEGABYTE)}`],
];

describe.each(longWords)('a megabyte of %s', (_, words) => {
  it('is told as its beginning is, the only part that is read, and cut with a sign', () => {
    const told = redact(words, [clientSecret]);
    const { body } = evidence('no JSON', { contentType: null, body: Buffer.from(words) }, [clientSecret]);
    const beginning = words.slice(0, READ);
    expect(told).toBe(redact(beginning, [clientSecret]));
    expect(body).toBe(
      evidence('no JSON', { contentType: null, body: Buffer.from(beginning) }, [clientSecret]).body,
    );
    expect(told.length).toBeLessThanOrEqual(1_000);
    expect(told.at(-1)).toBe('…');
    expect(body?.length).toBeLessThanOrEqual(500);
  });
});

describe('the message of a refusal', () => {
  it.each([
    'the item is 2500 x 1200 x 1000 cm; the largest free locker is 1 x 120 x 2000 cm',
    'weight: 100000 g is more than 50000 g',
    'count: expected at most 1000',
    'shipment-1001 is Completed since 2026-11-20T10:00:00Z',
    'locker 17 of pup-2041 is closed until 2027-01-01',
    'the request had 20480 bytes, expected at most 10240 bytes',
  ])('is repeated unchanged: %s', async (message) => {
    await withApi({ reply: failure(409, 'NoFittingLocker', message) }, async ({ api }) => {
      const error = await apiError(book(api));
      expect(error.message).toBe(`CreateLocalShipmentAsIssue: NoFittingLocker: ${message}`);
    });
  });

  it.each(['493027', '4930', '0612345678', '+31612345678', '49302711', 'olga@example.org'])(
    'is repeated without %s, which may be a code or a person',
    async (secret) => {
      for (const message of [
        `${secret} is wrong`,
        `code ${secret}.`,
        `"${secret}"`,
        `wrong:${secret}`,
        `it is ${secret}`,
      ])
        await withApi({ reply: failure(403, 'InvalidAccessCode', message) }, async ({ api }) => {
          expect((await apiError(book(api))).message).not.toContain(secret);
        });
    },
  );

  it('ends with an ellipsis if it is cut', async () => {
    const message = 'dimension: too large; '.repeat(100);
    await withApi({ reply: failure(409, 'NoFittingLocker', message) }, async ({ api }) => {
      const error = await apiError(book(api));
      expect(error.message).toMatch(/dimension: too large; .*…$/);
      expect(error.message.length).toBeLessThan(1_100);
    });
  });

  it('never makes a failure too large for Temporal, even with a long code and a long request id', async () => {
    const reply = json(
      409,
      { success: false, error: 'X'.repeat(MEGABYTE), message: null },
      {
        'x-request-id': 'r'.repeat(8_000),
      },
    );
    await withApi({ reply, options: { maximumAnswerBytes: 2 * MEGABYTE } }, async ({ api }) => {
      const { code, message, requestId } = await apiError(book(api));
      expect(`${code}${message}${requestId}`.length).toBeLessThan(1_600);
    });
  });
});

describe('a secret at the cut of a message', () => {
  const secrets = [clientSecret, 'Anna Maria van den Berg'];

  atSizes({ short: 13, long: 1 }, (step) =>
    it('shows no part of itself, wherever it stands', () => {
      for (const secret of [...secrets, 'olga.jansen@example.org', '493027'])
        for (let before = 0; before < 4_200; before += step) {
          const told = redact(
            `${'ab '.repeat(before / 3)}${'x'.repeat(before % 3)} ${secret} ${'yz '.repeat(1_000)}`,
            secrets,
          );
          // Four characters of it would be a part; 'ab ' and 'yz ' have none of them.
          if (told.includes(secret.slice(0, 4))) throw new Error(`${before}: ${told.slice(-40)}`);
        }
    }),
  );

  // Then what is read is cut within what is shown: 4,000 characters of such numbers are 572.
  it('shows no part of itself if the text before it is redacted', () => {
    const numbers = '1234567890123 '.repeat(300);
    for (const secret of [...secrets, 'olga.jansen@example.org'])
      for (const after of [' yz', '","yz'])
        for (let before = 3_960; before <= 4_001; before += 1) {
          const told = redact(`${numbers.slice(-before)}${secret}${after.repeat(9_000)}`, secrets);
          if (told.includes(secret.slice(0, 4))) throw new Error(`${before}: ${told.slice(-40)}`);
        }
  });
});
