// The examples of the document: short, whatever a flow file asks for.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../flows/language/flow-file.ts';
import { exampleOf } from '../../../processes/views/example-of.ts';
import { documentedFile } from '../../../processes/views/flow-schemas.ts';

const needing = (field: JsonObject): JsonObject => ({
  type: 'object',
  required: ['a'],
  properties: { a: field },
});

test('a length that is too large leaves out the example', () => {
  expect(exampleOf(needing({ type: 'string', minLength: 6 }))).toEqual({ a: 'textxx' });
  for (const minLength of [2_000_000_000, 100_000_000, 201])
    expect(exampleOf(needing({ type: 'string', minLength }))).toBeUndefined();
  expect(exampleOf(needing({ type: 'string', examples: ['x'.repeat(20_000)] }))).toBeUndefined();
});

test('a flow without an example is in the document all the same', () => {
  const input = needing({ type: 'string', minLength: 2_000_000_000 });
  const file = { name: 'Long', meaning: 'Takes a long text.', input, type: 'final' } as const;
  const { start, example } = documentedFile(file);
  expect(JSON.stringify(start)).toContain('2000000000');
  expect(example).toBeNull();
});
