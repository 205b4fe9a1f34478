// Secrets in what a service answers are hidden, whatever form they have there.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redaction } from '../../../shared/locker-api/redaction.ts';
import { atSizes } from '../../support/suite.ts';

const secret = 'Token+Secret/1-äö?x';
const bytes = Buffer.from(secret);
const percent = (text: string, which: (index: number) => boolean) =>
  [...text]
    .map((character, index) =>
      character.charCodeAt(0) < 128 && which(index)
        ? `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
        : character,
    )
    .join('');

/** With a text around the secret, the part of the form that is of the secret alone. */
const forms: readonly (readonly [title: string, text: string, ofSecret: string | null])[] = [
  ['as it is', secret, null],
  ['in upper case', secret.toUpperCase(), null],
  ['in lower case', secret.toLowerCase(), null],
  ['percent-encoded', encodeURIComponent(secret), null],
  ['percent-encoded in lower case', encodeURIComponent(secret).toLowerCase(), null],
  ['percent-encoded character by character', percent(secret, () => true), null],
  ['percent-encoded here and there', percent(secret, (index) => index % 3 === 0), null],
  ['percent-encoded twice', encodeURIComponent(percent(secret, () => true)), null],
  ['in HTML', [...secret].map((character) => `&#${character.codePointAt(0)};`).join(''), null],
  [
    'in HTML, hexadecimal',
    [...secret].map((each) => `&#x${each.codePointAt(0)?.toString(16)};`).join(''),
    null,
  ],
  ['in JSON', secret.replaceAll('/', '\\/'), null],
  [
    'in JSON, as Unicode escapes',
    [...secret].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    null,
  ],
  ['in hexadecimal', bytes.toString('hex'), null],
  ['in base64', bytes.toString('base64'), null],
  ['in base64url', bytes.toString('base64url'), null],
  ['in the base64 of a text before it', Buffer.from(`user:${secret}`).toString('base64'), null],
  [
    'in the base64 of a text around it',
    Buffer.from(`{"a":"${secret}"}`).toString('base64'),
    // Six characters are eight in base64: none of them is shared.
    bytes.toString('base64').slice(0, 24),
  ],
  ['without its end', secret.slice(0, 12), null],
  ['without its beginning', secret.slice(5), null],
];

describe('a text with a secret', () => {
  it.each(forms)('%s', (_, form, part) => {
    const ofSecret = part ?? form;
    const shown = new Redaction([secret]).text(`before ${form} after`);
    expect(shown).toMatch(/^before .*…/s);
    expect(shown).toMatch(/ after$/);
    for (let at = 0; at + 8 <= ofSecret.length; at++) expect(shown).not.toContain(ofSecret.slice(at, at + 8));
  });

  it('that has it many times, next to each other', () => {
    expect(new Redaction(['abc']).text('abcabc-ABC')).toBe('…-…');
  });

  it('is not changed otherwise', () => {
    const text = 'A short text: 100 % of it, &c., \\n and %zz and &#99999999; and 😀';
    expect(new Redaction([secret, 'short-secret', 'x1']).text(text)).toBe(text);
  });

  it('with a short secret hides only the whole of it', () => {
    const redaction = new Redaction(['short-secret']);
    expect(redaction.text('a short-secret')).toBe('a …');
    expect(redaction.text('a short-secre')).toBe('a short-secre');
  });

  it('with an address hides only the whole of it', () => {
    const redaction = new Redaction([], ['https://acme.example/hooks/1234567890']);
    expect(redaction.text('HTTPS://acme.example/hooks/1234567890')).toBe('…');
    expect(redaction.text('https://acme.example/hooks')).toBe('https://acme.example/hooks');
  });
});

it('every value, key and number of a whole answer is looked at', () => {
  const redaction = new Redaction(['1234567', 'key-secret']);
  expect(
    redaction.value({
      list: ['a key-secret', { 'KEY-SECRET': true }],
      number: 91_234_567.5,
      other: 1_234_56,
      nothing: null,
    }),
  ).toEqual({ list: ['a …', { '…': true }], number: '9….5', other: 123_456, nothing: null });
});

atSizes({ short: 500, long: 2500 }, (numRuns, seed) =>
  it('no piece of a generated secret is left in any encoding of a text around it', () => {
    const encodings: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => text.toUpperCase(),
      encodeURIComponent,
      (text) => encodeURIComponent(encodeURIComponent(text)),
      (text) => JSON.stringify(text),
      (text) => JSON.stringify(JSON.stringify(text)),
      (text) => Buffer.from(text).toString('base64'),
      (text) => Buffer.from(text).toString('base64url'),
      (text) => Buffer.from(text).toString('hex'),
      (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    ];
    const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 16, maxLength: 60 });
    const around = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(ascii, around, around, fc.constantFrom(...encodings), (secret, before, after, encode) => {
        const shown = new Redaction([secret]).text(encode(`${before}${secret}${after}`));
        // What differs from the text with another secret is what is left of this one.
        const bare = new Redaction([secret]).text(encode(`${before}${'\0'.repeat(secret.length)}${after}`));
        expect(shown).toContain('…');
        expect(shown.length).toBeLessThan(bare.length + 1);
      }),
      { seed, numRuns },
    );
  }),
);
