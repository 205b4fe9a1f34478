// The one error about the settings of a program: every wrong one on a line, with what it is unless it is a secret.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readBy, readSettings } from '../../../shared/settings/read-settings.ts';
import { wholeNumber, yesOrNo } from '../../../shared/settings/values.ts';

const schema = z.object({
  X_PORT: wholeNumber(0, 65_535).default(1),
  X_STRICT: yesOrNo.default(true),
  X_URL: z.url({ protocol: /^https?$/ }).optional(),
  X_NAMES: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().regex(/^[a-z]+$/, 'must be names')))
    .optional(),
  LOCKER_CLIENT_SECRET: z.string().min(5).optional(),
  X_FILE: readBy((path) => {
    throw new Error(`${path}: it is not there`);
  }).optional(),
  X_NEEDED: z.string('must be a name').default('none'),
});

const reading = (variables: Record<string, string>, of: z.ZodType = schema) =>
  expect(() => readSettings('X cannot start', of, variables));

test('a wrong setting is told with what it must be and what it is, each on its line', () => {
  reading({ X_PORT: '70000', X_STRICT: 'yes', X_URL: 'here' }).toThrow(
    [
      'X cannot start:',
      '  X_PORT: must be a whole number from 0 to 65535; it is "70000"',
      '  X_STRICT: must be true or false; it is "yes"',
      '  X_URL: must be an address like https://lockers.example; it is "here"',
    ].join('\n'),
  );
});

test('a list of which several elements are wrong is told once', () => {
  reading({ X_NAMES: 'A,b,C' }).toThrow(/^X cannot start:\n {2}X_NAMES: must be names; it is "A,b,C"$/);
});

test('no secret is shown, and no password of an address', () => {
  reading({ LOCKER_CLIENT_SECRET: 'abcd' }).toThrow(/LOCKER_CLIENT_SECRET: must have at least 5 characters$/);
  reading({ X_URL: 'ftp://anna:pass-word@host' }).toThrow(/it is "ftp:\/\/…@host"$/);
});

test('a long value is cut, and a value that the words have already is not repeated', () => {
  reading({ X_PORT: '9'.repeat(1_000) }).toThrow(/it is "9{100}…"$/);
  reading({ X_FILE: '/nowhere' }).toThrow(/X_FILE: \/nowhere: it is not there$/);
});

test('an absent and an empty setting are told as required, with what they must be', () => {
  const needing = schema.extend({ X_NEEDED: z.string('must be a name'), X_OTHER: z.string() });
  for (const variables of [{}, { X_NEEDED: '', X_OTHER: '' }])
    reading(variables, needing).toThrow(
      /:\n {2}X_NEEDED: is required; it must be a name\n {2}X_OTHER: is required$/,
    );
});
