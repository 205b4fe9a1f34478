// Values that break what was written without them in mind, and JSON text that JSON.stringify would never write.

import fc from 'fast-check';

/** JSON text to be written as it stands. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const strings = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u{1f6b2}',
  '\u202egnirts',
  'İIı',
  '\u0001\u001f\u007f\uffff',
  "'; drop table shipments; --",
  '%_\\',
  '$1 {} &amp; #{y}',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '1e400',
  '0000-01-01T00:00:00',
  '9999-12-31T23:59:59.999999999999+23:59',
  '2026-02-30T25:61:61Z',
  'http://169.254.169.254/latest',
  'javascript:alert(1)',
  'x@y.z'.repeat(100),
  'long '.repeat(390),
  'x'.repeat(2_001),
  'x'.repeat(100_000),
  '../../etc/passwd',
];

const numbers = [0, -0, -1, 0.1, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53 + 2, 2 ** 63, 1e21];

const raws = [
  '1e400',
  '-1e400',
  `1${'0'.repeat(400)}`,
  `0.${'1'.repeat(1_000)}`,
  '{"__proto__":{"success":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"length":1e9}',
  '{"toString":1,"valueOf":2,"toJSON":3}',
  '"\\ud800"',
  '"\\u0000"',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `[${'0,'.repeat(20_000)}0]`,
];

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], { a: 1 }),
  fc.constantFrom<unknown>(...strings),
  // What has brought most failures to light, more often.
  fc.constantFrom<unknown>('a\0b', 'a\ud800b'),
  fc.constantFrom<unknown>(...numbers),
  fc.constantFrom(...raws).map((text) => new RawJson(text)),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.double(),
  fc.jsonValue(),
);

/** Like JSON.stringify, raw text aside. */
export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${jsonText(item)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
