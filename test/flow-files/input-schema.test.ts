// The input of a flow file: what its JSON Schema may have, and how a request that starts a process is checked against it.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../flow-files/flow-file.ts';
import { inputIssues, schemaFindings } from '../../flow-files/reading/input-schema.ts';
import { Report } from '../../flow-files/reading/report.ts';
import { namesForTests } from './names.ts';

function findingsOf(schema: Json) {
  const report = new Report(namesForTests, () => undefined);
  schemaFindings(schema, ['input'], report);
  return report.findings.map(({ code, path }) => `${code} ${path}`);
}

const deep = (levels: number): JsonObject => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });

describe('refused', () => {
  test.each<[string, Json, string]>([
    ['a text', 'string', 'TypeWrong input'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, 'SchemaInvalid input.$ref'],
    ['a reference to itself', { properties: { a: { $ref: '#' } } }, 'SchemaInvalid input.properties.a.$ref'],
    ['an unknown keyword', { typ: 'string' }, 'SchemaInvalid input'],
    ['an unknown type', { type: 'text' }, 'SchemaInvalid input'],
    ['an unknown format', { type: 'string', format: 'colour' }, 'SchemaInvalid input'],
    ['a group that repeats', { pattern: '^(a+)+$', maxLength: 10 }, 'SchemaInvalid input.pattern'],
    ['a pattern for texts of any length', { pattern: '^a+$' }, 'SchemaInvalid input.pattern'],
    ['three parts that repeat', { pattern: '^a*a*a*$', maxLength: 10 }, 'SchemaInvalid input.pattern'],
    ['a back reference', { pattern: '^(a)\\1$', maxLength: 10 }, 'SchemaInvalid input.pattern'],
    ['patterns of names', { patternProperties: { '^a': {} } }, 'SchemaInvalid input.patternProperties'],
    ['unique items without a bound', { uniqueItems: true }, 'SchemaInvalid input.uniqueItems'],
    ['too many parts', deep(300), 'SchemaInvalid input'],
  ])('%s', (_, schema, finding) => {
    expect(findingsOf(schema)).toContain(finding);
  });
});

const schema = {
  type: 'object',
  required: ['item'],
  properties: {
    item: { type: 'string', pattern: '^[a-z]+-\\d{1,8}$', maxLength: 40 },
    due: { type: 'string', format: 'date-time' },
    state: { enum: ['whole', 'broken'] },
  },
  additionalProperties: false,
};

test('a schema within the bounds is taken', () => {
  expect(findingsOf(schema)).toEqual([]);
});

test('every error of a request is reported with its field', () => {
  expect(inputIssues(schema, { item: 'item-1', due: '2026-11-21T12:00:00Z', state: 'whole' })).toEqual([]);
  expect(inputIssues(schema, { due: 'tomorrow', state: 'lost', user: 'x' })).toEqual([
    { field: 'request.item', message: 'is required' },
    { field: 'request.user', message: 'is not known' },
    { field: 'request.due', message: 'must match format "date-time"' },
    { field: 'request.state', message: 'must be equal to one of the allowed values: ["whole","broken"]' },
  ]);
});

test('the size of a request is limited, with any schema', () => {
  expect(inputIssues(undefined, { text: 'x'.repeat(40_000) })).toEqual([
    { field: 'request', message: 'is 40011 bytes long, expected at most 32768' },
  ]);
});
