// A value against a JSON Schema with alternatives: its problems are those of the alternative that was most likely meant.
import { expect, test } from 'vitest';
import { partOf, schemaProblems, unknownField } from '../../flow-files/lint/schema-check.ts';

const own = { $defs: {}, hasOwnPatterns: true };

test.each([
  [7, 'expected at most 5'],
  ['', 'expected at least 1 characters'],
])('of several alternatives the one of the same kind was meant: %j', (value, because) => {
  const anyOf = [
    { type: 'boolean' },
    { type: 'object' },
    { type: 'number', maximum: 5 },
    { type: 'string', minLength: 1 },
  ];
  expect(schemaProblems(value, { anyOf }, [], own)).toMatchObject([{ because }]);
});

test('what every object inherits is no field of a schema', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  expect(unknownField(['toString'], schema, {})).toEqual({ name: 'toString', known: ['name'] });
  expect(partOf(['toString'], schema, {})).toBeUndefined();
});
