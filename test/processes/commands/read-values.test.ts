// What is said of a value that does not fit: of many wrong fields the first ones, each in few words.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainMessages } from '../../../contract/wire/format-issue.ts';
import { refusedFields, wrongFieldsOf } from '../../../processes/commands/read-values.ts';

const many = (value: unknown) =>
  Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`field${index}`, value]));

test('of thousands of wrong fields the first fifty are told', () => {
  const { error } = z.record(z.string(), z.string()).safeParse(many(1), plainMessages);
  const fields = wrongFieldsOf(error as z.ZodError);
  expect(Object.keys(fields)).toHaveLength(50);
  expect(fields.field0).toBe('must be a string, not a number');
  const refusal = refusedFields(many('is wrong') as Record<string, string>);
  expect(Object.keys(refusal.fields ?? {})).toHaveLength(50);
  expect(refusal.message.length).toBeLessThan(2_000);
});

test('names and words that a stranger has chosen are cut', () => {
  const { error } = z.strictObject({}).safeParse(many(1), plainMessages);
  expect(wrongFieldsOf(error as z.ZodError)['']?.length).toBeLessThan(600);
  const long = refusedFields({ ['x'.repeat(10_000)]: 'y'.repeat(10_000) });
  expect(long.message.length).toBeLessThan(1_500);
});
