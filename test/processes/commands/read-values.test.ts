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

test('a field that is not known is named with those that are', () => {
  const said = (schema: z.ZodType, value: unknown) =>
    wrongFieldsOf(schema.safeParse(value, plainMessages).error as z.ZodError)[''];
  expect(
    said(z.strictObject({ size: z.int().optional(), cursor: z.string().optional() }), { limit: 1 }),
  ).toBe('has fields that are not known here: limit (expected any of size, cursor)');
  expect(said(z.partialRecord(z.enum(['issue', 'intake']), z.string()), { isue: 'a' })).toBe(
    'has fields that are not known here: isue (expected any of issue, intake)',
  );
});

test('names and words that a stranger has chosen are cut', () => {
  const { error } = z.strictObject({}).safeParse(many(1), plainMessages);
  expect(wrongFieldsOf(error as z.ZodError)['']?.length).toBeLessThan(600);
  const long = refusedFields({ ['x'.repeat(10_000)]: 'y'.repeat(10_000) });
  expect(long.message.length).toBeLessThan(1_500);
});
